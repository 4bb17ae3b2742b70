package dev.lychgate.server.reload;

import dev.lychgate.server.metrics.RolloutFigures.Exchanges;
import dev.lychgate.server.rollout.Figures;
import dev.lychgate.server.rollout.Judgement;
import dev.lychgate.server.rollout.RolloutMeter;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares candidates with the stable generation by the counts of a gateway's meter. The meter counts each step
 * separately, and this class adds up the exchanges of all steps. Reading the sums briefly holds a lock.
 */
final class MeteredJudge implements CandidateJudge {
    private final RolloutMeter meter;
    /** The numbers of exchanges in the steps that have ended, by role and status class. */
    private final Map<String, Map<String, Long>> ended = new TreeMap<>();

    MeteredJudge(RolloutMeter meter) {
        this.meter = meter;
    }

    @Override
    public synchronized void begin(long stable, long candidate, RolloutPlan plan) {
        add(meter.figures(), ended);
        meter.begin(stable, candidate, plan.config().abortOn(), Math.max(1, plan.judged()));
    }

    @Override
    public synchronized void step() {
        add(meter.figures(), ended);
        meter.step();
    }

    @Override
    public Judgement judgement() {
        return meter.judgement();
    }

    @Override
    public @Nullable Figures figures() {
        return meter.figures();
    }

    @Override
    public synchronized void end() {
        add(meter.figures(), ended);
        meter.end();
    }

    /**
     * Reports the numbers of all exchanges since startup. Thread-safe; acquires a lock, so it must not run on an event
     * loop.
     */
    synchronized void exchanges(Exchanges to) {
        Map<String, Map<String, Long>> all = new TreeMap<>();
        ended.forEach((role, statuses) -> all.put(role, new TreeMap<>(statuses)));
        add(meter.figures(), all);
        all.forEach((role, statuses) -> statuses.forEach((status, count) -> to.count(role, status, count)));
    }

    private static void add(@Nullable Figures of, Map<String, Map<String, Long>> sums) {
        if (of != null) {
            add(of.stable(), sums.computeIfAbsent("stable", role -> new TreeMap<>()));
            add(of.candidate(), sums.computeIfAbsent("candidate", role -> new TreeMap<>()));
        }
    }

    private static void add(Figures.Side side, Map<String, Long> sums) {
        side.all().statuses().forEach((status, count) -> sums.merge(status, count, Long::sum));
    }
}
