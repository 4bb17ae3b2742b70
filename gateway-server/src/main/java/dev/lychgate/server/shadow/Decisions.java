package dev.lychgate.server.shadow;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one generation on one request.
 *
 * @param steps the filter runs, in order
 * @param route the id of the route; null if none was chosen
 * @param upstream the upstream that would receive the request; null if the request would not be forwarded
 * @param path the path that the upstream would receive; null without an upstream
 * @param answer the status of a response that the gateway creates, with the kind of an error if there is one; null
 *     without such a response
 * @param undecided the reason why the run ended before a decision; null if it reached a decision
 */
record Decisions(
        List<Step> steps,
        @Nullable String route,
        @Nullable String upstream,
        @Nullable String path,
        @Nullable String answer,
        ShadowTally.@Nullable Result undecided) {
    /**
     * One run of a filter.
     *
     * @param filter the phase and the name of the filter
     * @param global whether the filter runs before routing
     * @param outcome the outcome in words
     * @param changes the new values of the parts that the filter has changed, by name; the text {@code none} for a
     *     removed part
     */
    record Step(String filter, boolean global, String outcome, Map<String, String> changes) {
        static final String PROCEED = "proceed";

        boolean ends() {
            return !outcome.equals(PROCEED);
        }
    }

    /** Returns the filter runs before routing if {@code global} is true; otherwise the filter runs after routing. */
    List<Step> steps(boolean global) {
        return steps.stream().filter(step -> step.global() == global).toList();
    }
}
