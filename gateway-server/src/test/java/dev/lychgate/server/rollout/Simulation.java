package dev.lychgate.server.rollout;

import dev.lychgate.config.AbortRules;
import dev.lychgate.generation.Split;
import dev.lychgate.loop.DurationHistogram;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;

/** A rollout with simulated exchanges: the steps, the looks and the judge are those of the gateway. */
final class Simulation {
    /**
     * The exchanges of one generation on one route.
     *
     * @param errors the share that fails with 503
     * @param filterFailures the share in which a filter fails; the exchange continues
     * @param rejected the share with 404
     * @param byFilter whether a failed filter causes the errors
     */
    record Arm(double errors, double filterFailures, double rejected, Latencies latencies, boolean byFilter) {
        Arm(double errors, double filterFailures, double rejected, Latencies latencies) {
            this(errors, filterFailures, rejected, latencies, false);
        }

        Arm failingFilter(double share) {
            return new Arm(share, 0, rejected, latencies, true);
        }

        Arm errors(double other) {
            return new Arm(other, filterFailures, rejected, latencies);
        }

        Arm filterFailures(double other) {
            return new Arm(errors, other, rejected, latencies);
        }

        Arm rejected(double other) {
            return new Arm(errors, filterFailures, other, latencies);
        }

        Arm latencies(Latencies other) {
            return new Arm(errors, filterFailures, rejected, other);
        }
    }

    /** @param rate exchanges per second */
    record Route(double rate, Arm stable, Arm candidate) {}

    /** The routes at a time in seconds since the rollout began. */
    interface Traffic {
        Map<String, Route> at(double second);
    }

    /**
     * The end of a rollout.
     *
     * @param verdict promote = reached 100 %; hold = the simulation ended before
     * @param step the last step, from 0
     * @param seconds since the rollout began
     * @param exchanges of the candidate in the last step
     */
    record Outcome(Verdict verdict, int step, double seconds, long exchanges, List<Finding> reasons) {}

    private final Traffic traffic;
    private final AbortRules rules;
    private double[] shares = {0.01, 0.1, 0.5};
    private double hold = 30;
    private double lookEvery = 3;
    private double longest = 3600;
    /** Exchanges of one client in a row, which have the same outcome and meet the same generation. */
    private int burst = 1;

    Simulation(AbortRules rules, Traffic traffic) {
        this.rules = rules;
        this.traffic = traffic;
    }

    Simulation(AbortRules rules, double rate, Arm stable, Arm candidate) {
        this(rules, second -> Map.of("api", new Route(rate, stable, candidate)));
    }

    Simulation lookingEvery(double seconds) {
        lookEvery = seconds;
        return this;
    }

    /** Only the first step, which ends as soon as the judge permits it. */
    Simulation ofOneStep() {
        shares = new double[] {0.01};
        hold = 0;
        return this;
    }

    Simulation atMost(double seconds) {
        longest = seconds;
        return this;
    }

    Simulation inBurstsOf(int exchanges) {
        burst = exchanges;
        return this;
    }

    Outcome run(long seed) {
        SplittableRandom random = new SplittableRandom(new Random(seed).nextLong());
        double now = 0;
        long exchanges = 0;
        Judgement judgement = Judgement.NONE;
        for (int step = 0; step < shares.length; step++) {
            Judge judge = new Judge(rules, 3);
            Map<String, Sides> routes = new LinkedHashMap<>();
            double began = now;
            do {
                if (now > longest) {
                    return new Outcome(Verdict.HOLD, step, now, exchanges, judgement.reasons());
                }
                int of = step;
                traffic.at(now)
                        .forEach((id, route) ->
                                routes.put(id, more(routes.getOrDefault(id, new Sides()), route, shares[of], random)));
                now += lookEvery;
                Sides total = sum(routes.values());
                exchanges = total.candidate().exchanges();
                judgement = judge.judge(total, routes.size() == 1 ? Map.of() : routes, routes.size(), List.of());
                if (judgement.verdict() == Verdict.ABORT) {
                    return new Outcome(Verdict.ABORT, step, now, exchanges, judgement.reasons());
                }
            } while (now - began < hold || judgement.verdict() != Verdict.PROMOTE);
        }
        return new Outcome(Verdict.PROMOTE, shares.length, now, exchanges, List.of());
    }

    private Sides more(Sides before, Route route, double share, SplittableRandom random) {
        double all = route.rate() * lookEvery;
        return new Sides(
                more(before.stable(), route.stable(), all * (1 - share), random),
                more(before.candidate(), route.candidate(), all * share, random));
    }

    private Counts more(Counts before, Arm arm, double expected, SplittableRandom random) {
        long count = burst * (long) (expected / burst + random.nextDouble());
        long errors = burst * binomial(count / burst, arm.errors(), random);
        long rejected = burst * binomial((count - errors) / burst, arm.rejected(), random);
        long filterFailures = burst * binomial((count - errors - rejected) / burst, arm.filterFailures(), random);
        long[] cells = before.cells();
        divide(errors, cells, Tally.cell(5, true, arm.byFilter()), random);
        divide(rejected, cells, Tally.cell(4, false, false), random);
        divide(filterFailures, cells, Tally.cell(2, false, true), random);
        divide(count - errors - rejected - filterFailures, cells, Tally.cell(2, false, false), random);
        DurationHistogram durations = new DurationHistogram();
        durations.add(before.durations());
        arm.latencies().draw(count, durations, random);
        return new Counts(cells, new long[Split.GROUPS * Tally.SPEEDS], durations);
    }

    /** Divides the clients of exchanges with the same outcome between the groups at random. */
    private void divide(long exchanges, long[] cells, int cell, SplittableRandom random) {
        long left = exchanges / burst;
        for (int group = 0; group < Split.GROUPS; group++) {
            long of = group == Split.GROUPS - 1 ? left : binomial(left, 1.0 / (Split.GROUPS - group), random);
            cells[group * Tally.CELLS + cell] += burst * of;
            left -= of;
        }
    }

    private static Sides sum(Iterable<Sides> all) {
        long[] stable = new long[Split.GROUPS * Tally.CELLS];
        long[] candidate = new long[Split.GROUPS * Tally.CELLS];
        long[] speeds = new long[Split.GROUPS * Tally.SPEEDS];
        DurationHistogram ofStable = new DurationHistogram();
        DurationHistogram ofCandidate = new DurationHistogram();
        for (Sides each : all) {
            add(stable, each.stable().cells());
            add(candidate, each.candidate().cells());
            ofStable.add(each.stable().durations());
            ofCandidate.add(each.candidate().durations());
        }
        return new Sides(new Counts(stable, speeds, ofStable), new Counts(candidate, speeds, ofCandidate));
    }

    private static void add(long[] sum, long[] part) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += part[i];
        }
    }

    /** Skips from one success to the next; above 400 expected ones, the normal distribution is as good. */
    static long binomial(long n, double p, SplittableRandom random) {
        if (p <= 0 || n == 0) {
            return 0;
        }
        if (p > 0.5) {
            return n - binomial(n, 1 - p, random);
        }
        double mean = n * p;
        if (mean > 400) {
            return Math.min(n, Math.max(0, Math.round(mean + Math.sqrt(mean * (1 - p)) * random.nextGaussian())));
        }
        double log = Math.log1p(-p);
        long successes = 0;
        for (double at = skip(log, random); at < n; at += 1 + skip(log, random)) {
            successes++;
        }
        return successes;
    }

    private static double skip(double log, SplittableRandom random) {
        return Math.floor(Math.log(1 - random.nextDouble()) / log);
    }
}
