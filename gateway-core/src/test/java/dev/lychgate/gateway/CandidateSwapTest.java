package dev.lychgate.gateway;

import static dev.lychgate.gateway.Candidates.BY_REQUEST;
import static dev.lychgate.gateway.Candidates.CANARY;
import static dev.lychgate.gateway.Candidates.included;
import static dev.lychgate.gateway.Candidates.numbering;
import static dev.lychgate.gateway.Candidates.share;
import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterUse;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.RouteAction;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.generation.Generation;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The life of a candidate: introduced, replaced, promoted, withdrawn, and beside stable generations that are replaced. */
@Tag("slow")
class CandidateSwapTest {
    private static Setup answering() {
        return new Setup().route("all", "/**", new RouteAction.Respond(204, Map.of(), null));
    }

    private static String canary(RawClient client) throws IOException {
        return client.send(Candidates.get(CANARY)).readResponse().body();
    }

    private static String stable(RawClient client) throws IOException {
        return client.send(Candidates.get("")).readResponse().body();
    }

    @Test
    void aPromotedCandidateIsTheStableGenerationAndKeepsItsNumber() throws Exception {
        try (Running running = answering().filters(numbering()).start();
                RawClient client = running.client()) {
            Gateway gateway = running.gateway();
            Generation candidate = gateway.introduce(answering().config(), numbering(), included());
            assertThat(candidate.number()).isEqualTo(2);
            assertThat(gateway.candidate()).isSameAs(candidate);
            assertThat(gateway.generation().number()).isEqualTo(1);
            assertThat(canary(client)).isEqualTo("2");
            assertThat(stable(client)).isEqualTo("1");

            assertThat(gateway.promote()).isSameAs(candidate);
            assertThat(gateway.generation()).isSameAs(candidate);
            assertThat(gateway.candidate()).isNull();
            assertThat(stable(client)).isEqualTo("2");
        }
    }

    @Test
    void aNumberIsNeverUsedTwice() throws Exception {
        try (Running running = answering().filters(numbering()).start();
                RawClient client = running.client()) {
            Gateway gateway = running.gateway();
            gateway.introduce(answering().config(), numbering(), included());
            gateway.withdraw();
            assertThat(canary(client)).isEqualTo("1");
            assertThat(gateway.introduce(answering().config(), numbering(), included())
                            .number())
                    .isEqualTo(3);
            assertThat(gateway.introduce(answering().config(), numbering(), included())
                            .number())
                    .isEqualTo(4);
            assertThat(canary(client)).isEqualTo("4");
            assertThat(gateway.apply(answering().config(), numbering()).number())
                    .isEqualTo(5);
            assertThat(canary(client)).isEqualTo("4");
            assertThat(stable(client)).isEqualTo("5");
            gateway.promote();
            assertThat(stable(client)).isEqualTo("4");
            assertThat(gateway.apply(answering().config(), numbering()).number())
                    .isEqualTo(6);
        }
    }

    @Test
    void onlyACandidateCanBeDividedAndPromoted() {
        try (Running running = answering().start()) {
            Gateway gateway = running.gateway();
            assertThatThrownBy(() -> gateway.split(included())).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(gateway::promote).isInstanceOf(IllegalStateException.class);
            gateway.withdraw();
            assertThat(gateway.generation().number()).isEqualTo(1);
        }
    }

    @Test
    void aCandidateThatCannotBeBuiltChangesNothing() throws Exception {
        FilterSet elsewhere = FilterSet.EMPTY.with(
                TestFilter.of("lost", FilterPhase.INBOUND, exchange -> exchange.proceed()), Set.of("no-such-route"));
        try (Running running = answering().filters(numbering()).start();
                RawClient client = running.client()) {
            Gateway gateway = running.gateway();
            Generation candidate = gateway.introduce(answering().config(), numbering(), included());
            assertThatThrownBy(() -> gateway.introduce(answering().config(), elsewhere, share(1, BY_REQUEST)))
                    .isInstanceOf(ConfigException.class);
            assertThatThrownBy(() ->
                            gateway.introduce(answering().connections(7).config(), numbering(), share(1, BY_REQUEST)))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("listeners");
            assertThat(gateway.candidate()).isSameAs(candidate);
            assertThat(stable(client)).isEqualTo("1");
            assertThat(canary(client)).isEqualTo("2");
        }
    }

    @Test
    void filtersThatBothGenerationsUseEndWithTheLastOfThem() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        FilterSet shared = numbering().counted(new FilterUse(ended::incrementAndGet));
        try (Running running = answering().filters(shared).start();
                RawClient client = running.client()) {
            Gateway gateway = running.gateway();
            gateway.introduce(answering().config(), shared, included());
            assertThat(canary(client)).isEqualTo("2");
            gateway.withdraw();
            gateway.introduce(answering().config(), shared, included());
            gateway.promote();
            assertThat(stable(client)).isEqualTo("3");
            assertThat(ended).hasValue(0);

            gateway.apply(answering().config(), FilterSet.EMPTY);
            eventually(() -> assertThat(ended).hasValue(1));
        }
    }

    /** The end of a retired generation: its filters were closed once, and nothing refers to it. */
    private record Retired(WeakReference<Generation> generation, AtomicInteger ended) {}

    @Test
    void aHundredCyclesUnderLoadLoseNoRequestAndLeaveNothing() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger served = new AtomicInteger();
        List<Retired> retired = new ArrayList<>();
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")))) {
            Setup setup = Setup.to(origin.address()).workers(3);
            try (Running running = setup.start();
                    RawClient idle = running.client()) {
                assertThat(idle.get("/").status()).isEqualTo(200);
                List<CompletableFuture<Void>> clients = IntStream.range(0, 6)
                        .mapToObj(i ->
                                CompletableFuture.runAsync(() -> load(running, served, over), Candidates.NEW_THREAD))
                        .toList();
                for (int i = 0; i < 100; i++) {
                    cycle(running.gateway(), setup, i, served, retired);
                }
                over.set(true);
                for (CompletableFuture<Void> client : clients) {
                    client.get(1, TimeUnit.MINUTES);
                }
                assertRetired(running, served.get() + 1, retired);
                assertThat(idle.get("/").status()).isEqualTo(200);
            }
        }
    }

    /** Introduces a candidate, lets it serve some requests, and promotes or withdraws it in the middle of others. */
    private static void cycle(Gateway gateway, Setup setup, int number, AtomicInteger served, List<Retired> retired)
            throws Exception {
        AtomicInteger ended = new AtomicInteger();
        FilterSet filters = FilterSet.of(Candidates.numbered()).counted(new FilterUse(ended::incrementAndGet));
        Generation candidate = gateway.introduce(setup.config(), filters, share(0.1, BY_REQUEST));
        gateway.split(share(0.5, BY_REQUEST));
        int before = served.get();
        eventually(() -> assertThat(served.get()).isGreaterThanOrEqualTo(before + 20));
        if (number % 2 == 0) {
            gateway.withdraw();
        } else {
            gateway.promote();
        }
        retired.add(new Retired(new WeakReference<>(candidate), ended));
    }

    private static void load(Running running, AtomicInteger served, AtomicBoolean over) {
        try (RawClient client = running.client()) {
            while (!over.get()) {
                assertThat(client.get("/").status()).isEqualTo(200);
                served.incrementAndGet();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertRetired(Running running, int exchanges, List<Retired> retired) throws Exception {
        Set<Long> met = new HashSet<>();
        for (int i = 0; i < exchanges; i++) {
            Outcome outcome = running.nextOutcome();
            assertThat(outcome.status()).isEqualTo(200);
            met.add(outcome.generation());
        }
        assertThat(met.size()).as("generations that requests met").isGreaterThan(90);
        // The last cycle promoted its candidate.
        assertThat(requireNonNull(
                        retired.remove(retired.size() - 1).generation().get()))
                .isSameAs(running.gateway().generation());
        eventually(() -> {
            System.gc();
            assertThat(retired).allSatisfy(one -> {
                assertThat(one.ended()).hasValue(1);
                assertThat(one.generation().get()).isNull();
            });
        });
    }
}
