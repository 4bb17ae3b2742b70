package dev.lychgate.gateway;

import static dev.lychgate.gateway.CachedOrigin.CACHE;
import static dev.lychgate.gateway.CachedOrigin.STALE;
import static dev.lychgate.gateway.CachedOrigin.get;
import static dev.lychgate.gateway.CachedOrigin.status;
import static dev.lychgate.gateway.Problems.assertProblem;
import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.LimitKey;
import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.OverloadPageConfig;
import dev.lychgate.config.OverloadStaleConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.PriorityConfig;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.resilience.OverloadLadder;
import dev.lychgate.resilience.OverloadLadder.Rung;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Stale responses of the cache for an overloaded upstream, with real sockets. The upstream has one place. A request with {@code
 * X-Hold} occupies it until the gate opens.
 */
@Tag("slow")
class StaleUnderLoadTest {
    private static final Duration SOON = Duration.ofMillis(100);
    private static final OverloadStaleConfig HOUR = new OverloadStaleConfig(SOON, Duration.ofHours(1), 7);
    private static final String HELD = "X-Hold: 1";
    private static final String GOLD = "X-Tier: gold";

    private final Gate gate = new Gate();
    private final AtomicInteger count = new AtomicInteger();
    private final ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> {
        String body = "n" + count.incrementAndGet();
        if (request.has("x-hold")) {
            gate.await(Duration.ofMinutes(1));
        }
        String[] fields = request.target().startsWith("/strict")
                ? new String[] {"Cache-Control: max-age=60, must-revalidate", "Age: 100", "ETag: \"1\""}
                : STALE;
        connection.send(Responses.of(200, body, fields));
    });

    @AfterEach
    void stop() throws Exception {
        gate.open();
        origin.close();
    }

    private static OverloadConfig overload(@Nullable OverloadStaleConfig stale, Duration hold) {
        return new OverloadConfig(
                Duration.ofMinutes(1),
                new Percent(99),
                new Percent(99),
                new Percent(0),
                new PriorityConfig(LimitKey.parse("header:x-tier"), Map.of("gold", 9)),
                SOON,
                stale,
                new OverloadPageConfig(Duration.ofMinutes(10), 503, Map.of(), "page"),
                hold);
    }

    private Setup setup(@Nullable OverloadStaleConfig stale, Duration hold) {
        return new Setup()
                .upstream(UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", origin.port()))
                        .withResilience(
                                new UpstreamResilience(RetryBudgetConfig.DEFAULT, null, new BulkheadConfig(1), null)))
                .overload(overload(stale, hold))
                .cache(CACHE);
    }

    private Setup setup(@Nullable OverloadStaleConfig stale) {
        return setup(stale, Duration.ofHours(1));
    }

    private void occupy(RawClient client, String target) throws Exception {
        int before = origin.requestsSeen();
        client.send("GET " + target + " HTTP/1.1\r\nHost: shop\r\n" + HELD + "\r\n\r\n");
        origin.awaitRequests(before + 1);
    }

    private static OverloadPolicy policy(Running gateway) {
        return requireNonNull(gateway.gateway().generation().overload());
    }

    private static OverloadLadder ladder(Running gateway) {
        return requireNonNull(policy(gateway).ladders().get("origin"));
    }

    private static Rung rung(Running gateway) {
        return policy(gateway).position(ladder(gateway)).rung();
    }

    /** Sends requests that are shed until the upstream is on a rung. */
    private static void climb(Running gateway, RawClient client, Rung to) throws Exception {
        eventually(() -> {
            assertProblem(get(client, "/shed"), 503, ErrorKind.BULKHEAD_FULL);
            assertThat(rung(gateway)).isEqualTo(to);
        });
    }

    @Test
    void onTheRungRequestsWithLowPriorityGetStaleResponsesAndTheOriginGetsNone() throws Exception {
        try (Running gateway = setup(HOUR).start();
                RawClient busy = gateway.client();
                RawClient client = gateway.client()) {
            assertThat(get(client, "/a").body()).isEqualTo("n1");
            assertThat(get(client, "/strict").body()).isEqualTo("n2");
            occupy(busy, "/busy");
            climb(gateway, client, Rung.STALE);
            gate.open();
            busy.readResponse();

            int before = origin.requestsSeen();
            for (int i = 0; i < 5; i++) {
                RawMessage stale = get(client, "/a");
                assertThat(stale.body()).isEqualTo("n1");
                assertThat(status(stale)).isEqualTo("Lychgate; hit; ttl=-40; detail=overload");
            }
            assertThat(origin.requestsSeen()).isEqualTo(before);
            assertThat(status(get(client, "/a", GOLD))).startsWith("Lychgate; fwd=stale;");
            assertThat(status(get(client, "/strict"))).startsWith("Lychgate; fwd=stale;");
            assertThat(status(get(client, "/new"))).startsWith("Lychgate; fwd=uri-miss;");
            assertThat(origin.requestsSeen()).isEqualTo(before + 3);
        }
    }

    @Test
    void theRungIsLeftAfterTheHoldAndTheNextRequestIsForwarded() throws Exception {
        try (Running gateway = setup(HOUR, Duration.ofSeconds(2)).start();
                RawClient busy = gateway.client();
                RawClient client = gateway.client()) {
            get(client, "/a");
            occupy(busy, "/busy");
            climb(gateway, client, Rung.STALE);
            gate.open();
            assertThat(get(client, "/a").body()).isEqualTo("n1");
            eventually(() -> assertThat(get(client, "/a").body()).isNotEqualTo("n1"));
            assertThat(rung(gateway)).isLessThan(Rung.STALE);
            assertThat(ladder(gateway).reached(Rung.STALE)).isOne();
        }
    }

    @Test
    void aShedRequestGetsAStaleResponseOnEachRungAndCountsForTheLadder() throws Exception {
        try (Running gateway = setup(new OverloadStaleConfig(Duration.ofMinutes(1), Duration.ofHours(1), 1))
                        .start();
                RawClient busy = gateway.client();
                RawClient client = gateway.client()) {
            get(client, "/a");
            get(client, "/strict");
            gateway.nextOutcome();
            gateway.nextOutcome();
            occupy(busy, "/busy");
            RawMessage stale = get(client, "/a");
            assertThat(stale.body()).isEqualTo("n1");
            assertThat(status(stale)).isEqualTo("Lychgate; hit; ttl=-40; detail=overload");
            assertThat(gateway.nextOutcome().shed()).isEqualTo(-1);
            assertThat(ladder(gateway).shed()).isOne();
            assertThat(rung(gateway)).isEqualTo(Rung.SHED);
            assertThat(get(client, "/a", GOLD).body())
                    .as("the highest priority")
                    .isEqualTo("n1");
            assertProblem(get(client, "/strict"), 503, ErrorKind.BULKHEAD_FULL);
            assertProblem(get(client, "/new"), 503, ErrorKind.BULKHEAD_FULL);
        }
    }

    @Test
    void withoutTheRungAShedRequestGetsTheError() throws Exception {
        try (Running gateway = setup(null).start();
                RawClient busy = gateway.client();
                RawClient client = gateway.client()) {
            get(client, "/a");
            occupy(busy, "/busy");
            climb(gateway, client, Rung.BROWNOUT);
            assertProblem(get(client, "/a"), 503, ErrorKind.BULKHEAD_FULL);
        }
    }

    @Test
    void aRequestDoesNotWaitForAnotherOneOnTheRung() throws Exception {
        try (Running gateway = setup(HOUR).start();
                RawClient leader = gateway.client();
                RawClient follower = gateway.client();
                RawClient client = gateway.client()) {
            get(client, "/a");
            occupy(leader, "/a");
            follower.send("GET /a HTTP/1.1\r\nHost: shop\r\n\r\n");
            eventually(() -> assertThat(
                            requireNonNull(gateway.gateway().generation().caches())
                                    .waiting())
                    .isOne());
            climb(gateway, client, Rung.STALE);
            RawMessage stale = get(client, "/a");
            assertThat(stale.body()).isEqualTo("n1");
            assertThat(status(stale)).isEqualTo("Lychgate; hit; ttl=-40; detail=overload");

            gate.open();
            assertThat(leader.readResponse().body()).isEqualTo("n2");
            RawMessage waited = follower.readResponse();
            assertThat(waited.body()).isEqualTo("n2");
            assertThat(status(waited)).endsWith("collapsed; ttl=-40; detail=overload");
        }
    }

    @Test
    void aReloadWithoutTheRungEndsItsEffectAndTheNextOneRestoresIt() throws Exception {
        Setup setup = setup(HOUR);
        try (Running gateway = setup.start();
                RawClient busy = gateway.client();
                RawClient client = gateway.client()) {
            get(client, "/a");
            occupy(busy, "/busy");
            climb(gateway, client, Rung.STALE);
            gate.open();
            busy.readResponse();

            gateway.gateway()
                    .apply(gateway.gateway().generation().config().withOverload(overload(null, Duration.ofHours(1))));
            assertThat(rung(gateway)).isEqualTo(Rung.BROWNOUT);
            String forwarded = get(client, "/a").body();
            assertThat(forwarded).isNotEqualTo("n1");

            gateway.gateway()
                    .apply(gateway.gateway().generation().config().withOverload(overload(HOUR, Duration.ofHours(1))));
            assertThat(rung(gateway)).isEqualTo(Rung.STALE);
            assertThat(get(client, "/a").body()).isEqualTo(forwarded);
            assertThat(ladder(gateway).reached(Rung.STALE)).isOne();
        }
    }

    @Test
    void aCandidateWithTheRungSharesTheLadderWithAStableGenerationWithoutIt() throws Exception {
        try (Running gateway = setup(null).start();
                RawClient busy = gateway.client();
                RawClient client = gateway.client()) {
            get(client, "/a");
            gateway.gateway()
                    .introduce(
                            gateway.gateway().generation().config().withOverload(overload(HOUR, Duration.ofHours(1))),
                            FilterSet.EMPTY,
                            Candidates.included());
            OverloadPolicy ofCandidate =
                    requireNonNull(requireNonNull(gateway.gateway().candidate()).overload());
            occupy(busy, "/busy");
            eventually(() -> {
                assertProblem(get(client, "/shed", "X-Canary: yes"), 503, ErrorKind.BULKHEAD_FULL);
                assertThat(ofCandidate.position(ladder(gateway)).rung()).isEqualTo(Rung.STALE);
            });
            gate.open();
            busy.readResponse();

            assertThat(rung(gateway))
                    .as("by the settings of the stable generation")
                    .isEqualTo(Rung.BROWNOUT);
            assertThat(get(client, "/a", "X-Canary: yes").body()).isEqualTo("n1");
            assertThat(get(client, "/a").body()).isNotEqualTo("n1");

            gateway.gateway().promote();
            assertThat(rung(gateway)).isEqualTo(Rung.STALE);
            assertThat(status(get(client, "/a"))).isEqualTo("Lychgate; hit; ttl=-40; detail=overload");
        }
    }
}
