package dev.lychgate.zuul;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A difference from Zuul that is intended.
 *
 * @param filters the cases
 * @param reason why the gateway differs
 * @param change makes the gateway's outcome of Zuul's
 */
record AcceptedDifference(Set<String> filters, Set<Probe> probes, String reason, UnaryOperator<Outcome> change) {
    private static final Set<Probe> EACH = EnumSet.allOf(Probe.class);
    private static final Set<Probe> POSTS = EnumSet.of(Probe.FORM_POST, Probe.CHUNKED_POST);

    static final List<AcceptedDifference> ALL = List.of(
            new AcceptedDifference(
                    Set.of("error-filter-responds"),
                    EACH,
                    "a response to a failure must not be stored by caches",
                    outcome -> outcome.withClientField("cache-control: no-store")),
            new AcceptedDifference(
                    Set.of("zuul-exception"),
                    POSTS,
                    "a response to a failure must not be stored by caches",
                    outcome -> outcome.withClientField("cache-control: no-store")),
            new AcceptedDifference(
                    Set.of("failure-in-post"),
                    EnumSet.of(Probe.MISSING),
                    "a response to a failure must not be stored by caches",
                    outcome -> outcome.withClientField("cache-control: no-store")),
            new AcceptedDifference(
                    Set.of("failure-without-error-filter"),
                    POSTS,
                    "Zuul responds with 200 and no body to a failure; the gateway reports the failure",
                    outcome -> new Outcome(
                            outcome.origin(),
                            List.of(
                                    "500",
                                    "body a problem of the gateway",
                                    "cache-control: no-store",
                                    "content-type: application/problem+json"))));

    /** Returns the outcome of the gateway that belongs to an outcome of Zuul. */
    static Outcome of(FilterCase filters, Probe probe, Outcome zuul) {
        Outcome expected = zuul;
        for (AcceptedDifference each : ALL) {
            if (each.filters.contains(filters.name()) && each.probes.contains(probe)) {
                expected = each.change.apply(expected);
            }
        }
        return expected;
    }
}
