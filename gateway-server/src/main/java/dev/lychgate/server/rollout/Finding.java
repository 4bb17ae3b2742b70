package dev.lychgate.server.rollout;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of one figure of both generations in the current step. Evidence is a natural logarithm; 0 means no
 * evidence.
 *
 * @param metric the compared figure
 * @param part the part of the metric, such as {@code 5xx} or the name of a filter; empty if the metric has only one
 *     part
 * @param route the id of the route; null if exchanges of all routes are compared
 * @param verdict the verdict of this comparison alone
 * @param candidate the compared exchanges of the candidate. For latencies, the counted property is a duration above the
 *     percentile of the stable generation plus the tolerance
 * @param stable the compared exchanges of the stable generation. For latencies, the counted property is a duration
 *     above the percentile of the stable generation
 * @param worse the evidence that the candidate exceeds the stable generation by more than half of the tolerance
 * @param worseAt the amount of {@code worse} that aborts the rollout
 * @param harmless the evidence that the candidate exceeds the stable generation by less than the tolerance
 * @param harmlessAt the amount of {@code harmless} that the next step requires
 */
public record Finding(
        Metric metric,
        String part,
        @Nullable String route,
        Verdict verdict,
        Share candidate,
        Share stable,
        double worse,
        double worseAt,
        double harmless,
        double harmlessAt) {
    /** Returns the metric with its part and route, such as {@code status-shift 5xx on route api}. */
    public String subject() {
        return metric.label() + (part.isEmpty() ? "" : " " + part) + (route == null ? "" : " on route " + route);
    }

    /**
     * Returns the finding for a log line, such as
     * {@code errors: candidate 5.10% of 2041 exchanges, stable 0.10% of 198200 exchanges (evidence 9.3, abort at 8.5)}.
     */
    public String summary() {
        if (metric == Metric.FILTER_BUDGET) {
            return subject();
        }
        String numbers = subject() + ": candidate " + words(candidate) + ", stable " + words(stable);
        return verdict == Verdict.ABORT
                ? numbers + String.format(Locale.ROOT, " (evidence %.1f, abort at %.1f)", worse, worseAt)
                : numbers + String.format(Locale.ROOT, " (evidence %.1f, next step at %.1f)", harmless, harmlessAt);
    }

    private static String words(Share share) {
        return share.exchanges() == 0
                ? "without exchanges"
                : String.format(Locale.ROOT, "%.2f%% of %d exchanges", share.fraction() * 100, share.exchanges());
    }
}
