package dev.lychgate.server.shadow;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one generation on one request.
 *
 * @param steps the filters that ran, in order
 * @param route the id of the route; null if none was chosen
 * @param upstream the upstream that would receive the request; null if none would
 * @param path the path that the upstream would receive; null without one
 * @param answer the status of a response of the gateway, with the kind of an error; null without one
 * @param undecided why the run ended before its end; null if it reached it
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
     * @param filter its phase and name
     * @param global whether it runs before routing
     * @param outcome in words
     * @param changes the values after it of what it has changed; the text {@code none} for a removed one
     */
    record Step(String filter, boolean global, String outcome, Map<String, String> changes) {
        static final String PROCEED = "proceed";

        boolean ends() {
            return !outcome.equals(PROCEED);
        }
    }

    /** Returns the filters before routing, or those after it. */
    List<Step> steps(boolean global) {
        return steps.stream().filter(step -> step.global() == global).toList();
    }
}
