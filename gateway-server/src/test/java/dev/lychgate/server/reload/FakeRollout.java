package dev.lychgate.server.reload;

import dev.lychgate.config.RolloutConfig;
import dev.lychgate.config.SampleRate;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.admin.RolloutControl.Event;
import dev.lychgate.server.rollout.Figures;
import dev.lychgate.server.rollout.Judgement;
import dev.lychgate.server.rollout.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A gateway, a judge and a clock for the state machine of a rollout; records the calls. */
final class FakeRollout implements CandidateTraffic, CandidateJudge, RolloutClock {
    static final long STABLE = 7;

    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<String> events = new ArrayList<>();
    final Generation generation;
    private final long number;
    Judgement judgement = Judgement.NONE;

    @Nullable
    RuntimeException failure;

    private long nanos = 5_000_000_000L;

    /** @param generation the candidate */
    FakeRollout(Generation generation, long number) {
        this.generation = generation;
        this.number = number;
    }

    /** Returns steps that last at least ten seconds. */
    static RolloutPlan plan(String... steps) {
        return new RolloutPlan(RolloutConfig.DEFAULT
                .withSteps(Stream.of(steps).map(SampleRate::parse).toList())
                .withHold(Duration.ofSeconds(10)));
    }

    Rollout begin(RolloutPlan plan) {
        Rollout rollout = new Rollout(plan, STABLE, "a file was written", this, this, null, this, this::record);
        rollout.begin();
        return rollout;
    }

    private void record(Event event) {
        events.add(event.event());
    }

    void verdict(Verdict verdict) {
        judgement = new Judgement(verdict, List.of());
    }

    void pass(int seconds) {
        nanos += seconds * 1_000_000_000L;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public void split(double share) {
        calls.add("split " + Rollout.percent(share));
    }

    @Override
    public Generation promote() {
        if (failure != null) {
            throw failure;
        }
        calls.add("promote");
        return generation;
    }

    @Override
    public void withdraw() {
        calls.add("withdraw");
    }

    @Override
    public void begin(long stable, long candidate, RolloutPlan plan) {
        calls.add("judge " + stable + " and " + candidate);
    }

    @Override
    public void step() {
        calls.add("count anew");
    }

    @Override
    public Judgement judgement() {
        return judgement;
    }

    @Override
    public @Nullable Figures figures() {
        return null;
    }

    @Override
    public void end() {
        calls.add("end");
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant now() {
        return Instant.ofEpochSecond(1_000_000_000L).plusNanos(nanos);
    }
}
