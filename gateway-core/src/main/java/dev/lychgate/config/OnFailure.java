package dev.lychgate.config;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The action of a route after the last attempt at its upstream has failed. An attempt fails if it gets no connection or
 * no response, or if a circuit breaker, a bulkhead or a limit rejects it. The action does not apply after a response
 * has begun.
 */
public record OnFailure(
        @Nullable RouteAction instead, @Nullable String filter, Set<Integer> statuses)
        implements WrittenConfig.Section {
    private static final Key<Integer> SILENT_STATUS =
            Key.number("status", 204).between(200, 299).about("the status of the response");
    private static final Key<RouteAction> FAIL_SILENT = Key.section(
                    "fail-silent", null, values -> silent(values.get(SILENT_STATUS)))
            .absent("-")
            .about("responds with a status and no body");
    private static final Key<RouteAction> FALLBACK = Key.section("fallback", null, RouteAction::fallback)
            .absent("-")
            .about("sends the request to another upstream, or responds with a fixed response");
    private static final Key<String> FILTER = Key.text("filter")
            .absent("-")
            .about("the name of one of your endpoint [filters](filters.md#answering-when-all-has-failed), which "
                    + "produces the response");
    private static final Key<Set<Integer>> STATUSES = Key.typed(
                    "status", Form.set(Form.NUMBER.within(new Form.Range(400, 599, false))), Set.of())
            .called("list")
            .about("the statuses of responses that also count as failures; 400 to 599");

    /** Responds with the error of the failed request. */
    public static final OnFailure FAIL_FAST = new OnFailure(null, null, Set.of());

    /** The kind of action. */
    public enum Remedy {
        /** Responds with the error of the failed request. */
        FAIL_FAST,
        /** Responds with a status from 200 to 299, without header fields and body. */
        FAIL_SILENT,
        /** Responds with a fixed response. */
        RESPOND,
        /** Sends the request to another upstream. */
        UPSTREAM,
        /** Runs a filter that responds. */
        FILTER;

        private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

        /** Returns the stable name in lower case, such as {@code fail-silent}. */
        public String label() {
            return label;
        }
    }

    public OnFailure {
        STATUSES.check(statuses);
        statuses = Set.copyOf(statuses);
        Expect.that(
                !(instead instanceof RouteAction.Redirect), "fallback", "redirect", "an upstream or a fixed response");
        Expect.that(
                filter == null || (instead == null && !filter.isBlank()),
                "filter",
                String.valueOf(filter),
                "the name of an endpoint filter, without another fallback");
    }

    /** Reads a section: exactly one of {@code fail-silent}, {@code fallback} and {@code filter}. */
    static OnFailure mapping(Key.Values values) {
        values.exactlyOne("fail-silent", "fallback", "filter");
        RouteAction silent = values.get(FAIL_SILENT);
        RouteAction fallback = values.get(FALLBACK);
        return new OnFailure(silent != null ? silent : fallback, values.get(FILTER), values.get(STATUSES));
    }

    @Override
    public void complete(Map<String, @Nullable Object> section) {
        if (remedy() == Remedy.FAIL_SILENT && instead instanceof RouteAction.Respond silent) {
            section.remove("respond");
            section.put(FAIL_SILENT.name(), Map.of(SILENT_STATUS.name(), silent.status()));
        } else if (instead instanceof Record action) {
            Map<String, @Nullable Object> fallback = WrittenConfig.of(action);
            section.keySet().removeAll(fallback.keySet());
            section.put(FALLBACK.name(), fallback);
        }
    }

    /** Creates an action without a filter. */
    public OnFailure(@Nullable RouteAction instead, Set<Integer> statuses) {
        this(instead, null, statuses);
    }

    /** Creates an action that runs an endpoint filter, which produces the response. */
    public static OnFailure filter(String name, Set<Integer> statuses) {
        return new OnFailure(null, name, statuses);
    }

    /**
     * Returns the kind of action. A fixed response with a status from 200 to 299, without header fields and body, is
     * {@link Remedy#FAIL_SILENT}.
     */
    public Remedy remedy() {
        if (filter != null) {
            return Remedy.FILTER;
        }
        if (instead == null) {
            return Remedy.FAIL_FAST;
        }
        if (!(instead instanceof RouteAction.Respond respond)) {
            return Remedy.UPSTREAM;
        }
        boolean silent = respond.status() < 300 && respond.headers().isEmpty() && respond.body() == null;
        return silent ? Remedy.FAIL_SILENT : Remedy.RESPOND;
    }

    /**
     * Creates the action fail-silent: a response that consists only of a status.
     *
     * @param status 200 to 299
     */
    public static RouteAction silent(int status) {
        SILENT_STATUS.check(status);
        return new RouteAction.Respond(status, Map.of(), null);
    }
}
