package dev.lychgate.config;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a route does when its upstream has failed, after the last attempt: there was no connection or no answer, or a breaker,
 * a bulkhead or a limit stood in the way. Once the answer has begun it is too late.
 *
 * @param instead what is done in place of an error answer: another upstream is asked, or a fixed answer given; null = the
 *     error is answered, which is the default (fail-fast)
 * @param filter the name of an endpoint filter that answers in place of an error; null = none, the default
 * @param statuses answers that count as failures, too; 400 to 599; empty = none, the default
 */
public record OnFailure(
        @Nullable RouteAction instead, @Nullable String filter, Set<Integer> statuses) {
    /** The error is answered. */
    public static final OnFailure FAIL_FAST = new OnFailure(null, null, Set.of());

    /** What is done, in one word. */
    public enum Remedy {
        /** The error is answered. */
        FAIL_FAST,
        /** A status from 200 to 299 is, and nothing else. */
        FAIL_SILENT,
        /** A fixed answer is given. */
        RESPOND,
        /** Another upstream is asked. */
        UPSTREAM,
        /** A filter answers. */
        FILTER;

        private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

        /** The stable, lower-case name: {@code fail-silent}. */
        public String label() {
            return label;
        }
    }

    public OnFailure {
        statuses = Set.copyOf(statuses);
        for (int status : statuses) {
            Expect.between(400, 599, "status", status);
        }
        Expect.that(
                !(instead instanceof RouteAction.Redirect), "fallback", "redirect", "an upstream or a fixed response");
        Expect.that(
                filter == null || (instead == null && !filter.isBlank()),
                "filter",
                String.valueOf(filter),
                "the name of an endpoint filter, and no other fallback");
    }

    /** Without a filter. */
    public OnFailure(@Nullable RouteAction instead, Set<Integer> statuses) {
        this(instead, null, statuses);
    }

    /** An endpoint filter answers. */
    public static OnFailure filter(String name, Set<Integer> statuses) {
        return new OnFailure(null, name, statuses);
    }

    /** What is done, in one word; a fixed answer that is all status counts as silence. */
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

    /** Answers with nothing but a status (fail-silent). @param status 200 to 299 */
    public static RouteAction silent(int status) {
        Expect.between(200, 299, "status", status);
        return new RouteAction.Respond(status, Map.of(), null);
    }
}
