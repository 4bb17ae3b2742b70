package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.RequestCopies;
import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.server.admin.RolloutControl.Action;
import dev.lychgate.server.admin.RolloutControl.Event;
import dev.lychgate.server.admin.RolloutControl.State;
import dev.lychgate.server.admin.RolloutRequest;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.history.Author;
import dev.lychgate.server.rollout.Figures;
import dev.lychgate.server.rollout.Judgement;
import dev.lychgate.server.rollout.Verdict;
import dev.lychgate.testing.Certificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changed files that become candidates, without traffic, and with a judge whose verdicts the test sets. */
@Tag("slow")
class RolloutsTest {
    private static final String CLOSED = RolloutsTest.class.getName() + ".closed";

    private final GroovyFilters groovy = new GroovyFilters();
    private final List<FakeRollout> candidates = new ArrayList<>();
    private final SetJudge judge = new SetJudge();

    @TempDir
    Path home = Path.of("");

    private Path config = Path.of("");
    private Path outbound = Path.of("");
    private @Nullable Generation stable;
    private long last;
    private @Nullable ConfigException refusal;
    private @Nullable ConfigException stableRefusal;
    private @Nullable Reloader reloader;
    private Rollouts rollouts = Rollouts.none();

    /** Gives the verdict of the test. */
    private static final class SetJudge implements CandidateJudge {
        private volatile Verdict verdict = Verdict.HOLD;
        private final List<String> compared = new ArrayList<>();

        @Override
        public void begin(long stable, long candidate, RolloutPlan plan) {
            compared.add(stable + "/" + candidate);
        }

        @Override
        public void step() {}

        @Override
        public Judgement judgement() {
            return new Judgement(verdict, List.of());
        }

        @Override
        public @Nullable Figures figures() {
            return null;
        }

        @Override
        public void end() {}
    }

    @BeforeEach
    void files() throws Exception {
        config = home.resolve("gateway.yml");
        Certificates.pem(home, "site", Certificates.authority("Test").issue("lychgate.test"));
        configure("{ hold: 1h }");
        outbound = Files.createDirectories(home.resolve("filters/outbound"));
        filter(1);
        System.clearProperty(CLOSED);
    }

    @AfterEach
    void close() {
        if (reloader != null) {
            reloader.close();
        }
        System.clearProperty(CLOSED);
    }

    private void configure(String rollout) throws Exception {
        Files.writeString(config, """
            listeners:
              - { name: main, address: "127.0.0.1:0", tls: { certificates: [{ chain: site.pem, key: site.key }] } }
            filters: { directory: filters }
            routes: [{ id: all, match: { path: "/**" }, upstream: origin }]
            upstreams: { origin: { endpoints: ["http://127.0.0.1:9"] } }
            rollout: %s
            """.formatted(rollout));
    }

    private void filter(int stamp) throws Exception {
        Files.writeString(outbound.resolve("stamp.groovy"), """
            onUnload { System.setProperty('%s', System.getProperty('%s', '') + '%d ') }
            filter { it.response.headers['x-stamp'] = '%d' }
            """.formatted(CLOSED, CLOSED, stamp, stamp));
    }

    private Generation apply(FilterAssembly next) {
        if (stableRefusal != null) {
            throw stableRefusal;
        }
        Generation before = stable;
        Generation now = before == null
                ? Generation.first(next.config(), next.filters(), 1)
                : before.next(++last, next.config(), next.filters(), 1);
        last = now.number();
        stable = now;
        return now;
    }

    private CandidateTraffic introduce(BuiltGeneration next, RolloutPlan plan, @Nullable RequestCopies copies) {
        if (refusal != null) {
            throw refusal;
        }
        Generation generation = Objects.requireNonNull(stable)
                .next(++last, next.assembly().config(), next.assembly().filters(), 1);
        FakeRollout candidate = new FakeRollout(generation, generation.number());
        candidates.add(candidate);
        return candidate;
    }

    private Reloader started() throws Exception {
        GenerationBuilder builder = new GenerationBuilder(config, name -> null, groovy);
        LastGood lastGood = LastGood.beside(config);
        RolloutStore store = new RolloutStore(RolloutJournal.beside(config), lastGood);
        rollouts = new Rollouts(this::introduce, judge, store, RolloutClock.SYSTEM, new Shadows(builder::isolated));
        Reloader started = new Reloader(builder, this::apply, lastGood, groovy.alive(), rollouts, ChangeNotes.none());
        BuiltGeneration first = builder.build(builder.readRest(builder.read()));
        started.started(first, apply(first.assembly()), null);
        reloader = started;
        return started;
    }

    private static State state(Reloader of) {
        return of.rollouts().status().state();
    }

    private static List<String> events(Reloader of) {
        return of.rollouts().events().stream().map(Event::event).toList();
    }

    private RolloutJournal.@Nullable Entry journal() {
        return RolloutJournal.beside(config).read(config);
    }

    private static @Nullable String change(Reloader of, Action action, double share) throws Exception {
        return of.rollouts().change(action, share).get(20, TimeUnit.SECONDS);
    }

    @Test
    void anAcceptedChangeIsACandidateAndNoPartOfTheHistory() throws Exception {
        Reloader reloader = started();
        filter(2);
        assertThat(reloader.reload("test")).isEqualTo(new Outcome.Taken(2));

        assertThat(state(reloader)).isEqualTo(State.RUNNING);
        assertThat(reloader.kept()).hasSize(1);
        assertThat(reloader.taken()).isZero();
        assertThat(judge.compared).containsExactly("1/2");
        assertThat(reloader.rollouts().share()).isEqualTo(0.01);
    }

    @Test
    void theStableGenerationIsSavedForItsUserBeforeACandidateIsIntroduced() throws Exception {
        Reloader reloader = started();
        String before = Files.readString(config);
        filter(2);
        reloader.reload("test");

        RolloutJournal.Entry entry = Objects.requireNonNull(journal());
        assertThat(entry.stage()).isEqualTo(RolloutJournal.Stage.UNDER_WAY);
        assertThat(entry.stable().files().values()).containsExactly(before);
        assertThat(Files.getPosixFilePermissions(RolloutJournal.beside(config).file()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Objects.requireNonNull(LastGood.beside(config).read()).fingerprint())
                .isEqualTo(entry.filters());
    }

    @Test
    void withoutTheSectionAChangeTakesEffectAtOnce() throws Exception {
        configure("off");
        Reloader reloader = started();
        filter(2);
        reloader.reload("test");
        assertThat(candidates).isEmpty();
        assertThat(reloader.kept()).hasSize(2);
        assertThat(journal()).isNull();
    }

    @Test
    void aChangeOfTheSectionAloneTakesEffectAtOnce() throws Exception {
        Reloader reloader = started();
        configure("{ hold: 2h }");
        reloader.reload("test");
        assertThat(candidates).isEmpty();
        assertThat(reloader.kept()).hasSize(2);
    }

    @Test
    void aPromotedCandidateIsTheRunningGenerationOfTheHistory() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.reload("the directory was written");

        assertThat(change(reloader, Action.PROMOTE, 0)).isNull();

        assertThat(state(reloader)).isEqualTo(State.PROMOTED);
        assertThat(candidates.get(0).calls).containsExactly("promote");
        assertThat(reloader.kept().get(0).number()).isEqualTo(2);
        assertThat(reloader.kept().get(0).why()).isEqualTo("the directory was written; promoted by a rollout");
        assertThat(reloader.taken()).isEqualTo(1);
        assertThat(journal()).as("a restart uses the files").isNull();
        assertThat(Objects.requireNonNull(LastGood.beside(config).read())
                        .files()
                        .get(0)
                        .text())
                .contains("'2'");
        assertThat(reloader.rollouts().ended("promoted")).isEqualTo(1);
    }

    @Test
    void theJudgePromotesByLooksOfItsOwnThread() throws Exception {
        configure("{ steps: [10%], hold: 1ms }");
        Reloader reloader = started();
        filter(2);
        judge.verdict = Verdict.PROMOTE;
        reloader.reload("test");
        eventually(() -> assertThat(reloader.kept()).hasSize(2));
        assertThat(state(reloader)).isEqualTo(State.PROMOTED);
        eventually(() -> assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("lychgate-rollout")));
    }

    @Test
    void anAbortedChangeIsNotTriedAgainUntilAFileChangesOrAReloadIsRequested() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.follow("written");
        judge.verdict = Verdict.ABORT;
        eventually(() -> assertThat(state(reloader)).isEqualTo(State.ABORTED));
        assertThat(candidates.get(0).calls).containsExactly("withdraw");
        assertThat(Objects.requireNonNull(journal()).stage()).isEqualTo(RolloutJournal.Stage.ABORTED);
        assertThat(reloader.kept()).hasSize(1);
        judge.verdict = Verdict.HOLD;

        reloader.follow("touched");
        assertThat(candidates).as("the same files").hasSize(1);

        filter(3);
        reloader.follow("written");
        assertThat(candidates).as("other files").hasSize(2);
        change(reloader, Action.ABORT, 0);
        reloader.reload("requested");
        assertThat(candidates).as("a request").hasSize(3);
    }

    @Test
    void filesOfTheStableGenerationAbortTheRollout() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.follow("written");
        filter(1);
        reloader.follow("written back");
        assertThat(state(reloader)).isEqualTo(State.ABORTED);
        assertThat(reloader.rollouts().status().reason()).contains("the files match the stable generation again");
        assertThat(journal()).isNull();
    }

    @Test
    void aNewerChangeReplacesTheCandidateAndARefusedOneDoesNot() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.follow("written");
        change(reloader, Action.SET, 0.3);
        Files.writeString(outbound.resolve("stamp.groovy"), "filter { nonsense");
        assertThat(reloader.reload("broken")).isInstanceOf(Outcome.Refused.class);
        refusal = new ConfigException("filters", "it", "another");
        filter(3);
        assertThat(reloader.reload("refused by the gateway")).isInstanceOf(Outcome.Refused.class);
        refusal = null;
        assertThat(reloader.rollouts().share()).isEqualTo(0.3);
        assertThat(candidates).hasSize(1);

        filter(4);
        reloader.reload("good");

        assertThat(candidates).hasSize(2);
        assertThat(reloader.rollouts().share()).as("its first step").isEqualTo(0.01);
        assertThat(events(reloader)).containsExactly("begun", "superseded", "set", "begun");
        assertThat(reloader.rollouts().ended("superseded")).isEqualTo(1);
    }

    @Test
    void aRefusedChangeLeavesTheJournalOfTheRunningRollout() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.reload("good");
        RolloutJournal.Entry before = journal();
        refusal = new ConfigException("filters", "it", "another");
        filter(3);
        reloader.reload("refused by the gateway");
        assertThat(journal()).isEqualTo(before);
    }

    @Test
    void aRefusedRollbackLeavesTheRunningRollout() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.reload("test");
        stableRefusal = new ConfigException("filters", "it", "another");
        assertThat(reloader.rollback(1)).isInstanceOf(Outcome.Refused.class);
        assertThat(state(reloader)).isEqualTo(State.RUNNING);
        assertThat(candidates.get(0).calls).isEmpty();
        assertThat(reloader.isPinned()).isFalse();
    }

    @Test
    void aRollbackAbortsTheRollout() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.reload("test");
        assertThat(reloader.rollback(1)).isInstanceOf(Outcome.Taken.class);
        assertThat(state(reloader)).isEqualTo(State.ABORTED);
        assertThat(candidates.get(0).calls).containsExactly("withdraw");
        assertThat(reloader.isPinned()).isTrue();
        assertThat(Objects.requireNonNull(journal()).stage()).isEqualTo(RolloutJournal.Stage.ABORTED);
    }

    @Test
    void renewedCertificatesApplyToTheStableGenerationAtOnce() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.reload("test");
        Certificates.pem(home, "site", Certificates.authority("Test").issue("lychgate.test"));
        reloader.follow("a certificate, key or address list was written");
        assertThat(state(reloader)).isEqualTo(State.RUNNING);
        assertThat(candidates).hasSize(1);
        assertThat(reloader.kept().get(0).number()).isEqualTo(3);
        assertThat(judge.compared).containsExactly("1/2", "3/2");
    }

    @Test
    void aPromotedCandidateHasTheCertificatesOfNow() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.reload("test");
        Certificates.pem(home, "site", Certificates.authority("Test").issue("lychgate.test"));
        reloader.follow("a certificate, key or address list was written");
        change(reloader, Action.PROMOTE, 0);
        assertThat(reloader.kept().get(0).why()).isEqualTo("a certificate, key or address list was written");
        assertThat(Objects.requireNonNull(
                                reloader.content(reloader.kept().get(0).number()))
                        .filters()
                        .toString())
                .contains("'2'");
    }

    @Test
    void aRequestedReloadHasARolloutOfItsOwn() throws Exception {
        configure("off");
        Reloader reloader = started();
        filter(2);
        reload(reloader, RolloutRequest.of("5%,20%", "1h"));
        assertThat(reloader.rollouts().status().steps()).containsExactly(0.05, 0.2, 1.0);
        filter(3);
        reload(reloader, RolloutRequest.of("off", null));
        assertThat(state(reloader)).isEqualTo(State.SUPERSEDED);
        assertThat(candidates.get(0).calls).contains("withdraw");
        assertThat(reloader.kept()).hasSize(2);
    }

    @Test
    void aRequestIsRefusedBeforeFilesAreRead() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RolloutRequest.of("20%,5%", null))
                .withMessageContaining("more than the previous step");
        assertThatIllegalArgumentException().isThrownBy(() -> RolloutRequest.of("1%", "0s"));
        assertThatIllegalArgumentException().isThrownBy(() -> RolloutRequest.of("off", "1s"));
        assertThat(RolloutRequest.read(RolloutRequest.of("0.5%,20%", "10s").written()))
                .isEqualTo(RolloutRequest.of("0.5%,20%", "10s"));
        assertThat(RolloutRequest.read(RolloutRequest.CONFIGURED.written())).isEqualTo(RolloutRequest.CONFIGURED);
    }

    @Test
    void aCandidateThatCannotBePromotedIsAborted() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.reload("test");
        candidates.get(0).failure = new IllegalStateException("a fault of ours");
        assertThat(change(reloader, Action.PROMOTE, 0)).isEqualTo("the rollout ended meanwhile");
        assertThat(state(reloader)).isEqualTo(State.ABORTED);
        assertThat(reloader.rollouts().status().reason()).contains("a fault of ours");
        assertThat(reloader.kept()).hasSize(1);
    }

    @Test
    void filesOfTheCandidateEndTheRefusalOfLaterOnes() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.follow("written");
        Files.writeString(outbound.resolve("stamp.groovy"), "filter { nonsense");
        reloader.reload("broken");
        assertThat(reloader.refusal()).isNotNull();
        filter(2);
        reloader.follow("corrected");
        assertThat(reloader.refusal()).isNull();
        assertThat(candidates).as("the rollout continues").hasSize(1);
    }

    private static Outcome reload(Reloader reloader, RolloutRequest request) throws Exception {
        return reloader.reloadNow(request, Author.GATEWAY).get(20, TimeUnit.SECONDS);
    }

    @Test
    void theEndOfTheGatewayClosesTheFiltersOfTheCandidate() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.reload("test");
        reloader.close();
        assertThat(Objects.requireNonNull(journal()).stage())
                .as("the next start continues")
                .isEqualTo(RolloutJournal.Stage.UNDER_WAY);
        candidates.clear();
        eventually(() -> {
            System.gc();
            assertThat(groovy.alive().count()).isLessThanOrEqualTo(1);
        });
    }

    @Test
    void commandsAndLooksAndReloadsAtTheSameTimeLeaveOneState() throws Exception {
        configure("{ steps: [1%, 10%, 50%], hold: 1ms }");
        Reloader reloader = started();
        judge.verdict = Verdict.PROMOTE;
        for (int i = 2; i < 12; i++) {
            filter(i);
            List<CompletableFuture<@Nullable String>> answers = new ArrayList<>();
            reloader.reload("test");
            for (Action action : List.of(Action.PAUSE, Action.RESUME, Action.SET, Action.PROMOTE, Action.ABORT)) {
                answers.add(reloader.rollouts().change(action, 0.2));
                CompletableFuture.runAsync(() -> rollouts.look());
            }
            for (CompletableFuture<@Nullable String> answer : answers) {
                answer.get(20, TimeUnit.SECONDS);
            }
            eventually(() -> assertThat(state(reloader).isOver()).isTrue());
            List<String> calls = candidates.get(candidates.size() - 1).calls;
            assertThat(calls.stream().filter(call -> call.equals("promote") || call.equals("withdraw")))
                    .as(calls.toString())
                    .hasSize(1);
        }
        assertThat(reloader.kept()).hasSize(History.KEPT);
    }

    @Test
    void aStepOf100PercentIsNoRollout() throws Exception {
        configure("{ steps: [100%] }");
        Reloader reloader = started();
        filter(2);
        reloader.reload("test");
        assertThat(candidates).isEmpty();
        assertThat(reloader.kept()).hasSize(2);
    }
}
