package dev.lychgate.server.rollout;

import dev.lychgate.config.AbortRules;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.Tolerance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Compares a candidate with the stable generation in one step. The same counts always lead to the same judgement. Not
 * thread-safe.
 *
 * <p>If a candidate does not exceed half of any tolerance, its rollout is aborted with a probability of at most
 * {@value #FALSE_ABORTS}. The steps, the judged metrics and their parts share this probability. Half of each part's
 * probability applies to all exchanges together. The routes divide the other half among themselves.
 *
 * <p>A candidate at or above a tolerance passes a step with a probability of at most {@value #MISSES}. This probability
 * is not divided, because a candidate has to pass every metric.
 */
final class Judge {
    static final double FALSE_ABORTS = 0.01;
    static final double MISSES = 0.05;

    /** A percentile, and the tolerated increase of the share of slow exchanges. */
    private record Percentile(double of, double share) {}

    private static final List<Percentile> PERCENTILES =
            List.of(new Percentile(0.99, 0.01), new Percentile(0.9, 0.05), new Percentile(0.5, 0.1));

    /**
     * A part of a metric.
     *
     * @param with counts the exchanges that have the property
     */
    private record Part(String name, ToLongFunction<Counts> with) {}

    private static final List<Part> ERRORS = List.of(new Part("", Counts::errors));
    private static final List<Part> FILTER_FAILURES = List.of(new Part("", Counts::filterFailures));
    /**
     * The parts of a comparison of status classes: one part for each class, and one part for all exchanges without a
     * 2xx status. The last part detects several small rises that together make successful responses rarer.
     */
    private static final List<Part> STATUS_SHIFT = List.of(
            ofClass(1),
            ofClass(2),
            ofClass(3),
            ofClass(4),
            ofClass(5),
            new Part("not 2xx", counts -> counts.exchanges() - counts.ofClass(2)));

    private final AbortRules rules;
    private final double perMetric;
    private final Scope all;
    private final Map<String, Scope> routes = new HashMap<>();

    private static Part ofClass(int statusClass) {
        return new Part(statusClass + "xx", counts -> counts.ofClass(statusClass));
    }

    /** @param steps the number of judged steps of the rollout */
    Judge(AbortRules rules, int steps) {
        this.rules = rules;
        long metrics = Stream.of(rules.errors(), rules.p99(), rules.filterFailures(), rules.statusShift())
                .filter(rule -> !rule.isOff())
                .count();
        this.perMetric = FALSE_ABORTS / Math.max(1, steps) / Math.max(1, metrics) / 2;
        this.all = new Scope(null, trials(1));
    }

    /**
     * Judges the candidate by the counts since the step began.
     *
     * @param total the counts of all exchanges
     * @param byRoute the counts by the id of the route
     * @param filters findings about filters
     */
    Judgement judge(Sides total, Map<String, Sides> byRoute, int routesOfGeneration, List<Finding> filters) {
        List<Finding> findings = new ArrayList<>(filters);
        all.look(total);
        byRoute.forEach((route, sides) -> routes.computeIfAbsent(
                        route, id -> new Scope(id, trials(Math.max(1, routesOfGeneration))))
                .look(sides));
        all.findings().forEach(findings::add);
        routes.values().forEach(scope -> scope.aborting().forEach(findings::add));
        return Judgement.of(findings);
    }

    /** @param sharing the number of scopes that share the probability of a false abort */
    private List<Trial> trials(int sharing) {
        double falseAborts = perMetric / sharing;
        List<Trial> trials = new ArrayList<>();
        add(trials, Metric.ERRORS, rules.errors(), ERRORS, falseAborts);
        Duration slower = rules.p99().most();
        if (slower != null) {
            double each = falseAborts / PERCENTILES.size();
            PERCENTILES.forEach(percentile ->
                    trials.add(new LatencyTrial(percentile.of(), percentile.share(), slower.toNanos(), each, MISSES)));
        }
        add(trials, Metric.FILTER_FAILURES, rules.filterFailures(), FILTER_FAILURES, falseAborts);
        add(trials, Metric.STATUS_SHIFT, rules.statusShift(), STATUS_SHIFT, falseAborts);
        return trials;
    }

    private static void add(
            List<Trial> trials, Metric metric, Tolerance<SampleRate> rule, List<Part> parts, double falseAborts) {
        SampleRate tolerance = rule.most();
        if (tolerance != null) {
            double each = falseAborts / parts.size();
            parts.forEach(part ->
                    trials.add(new ShareTrial(metric, part.name(), part.with(), tolerance.fraction(), each, MISSES)));
        }
    }
}
