package dev.lychgate.resilience;

import java.util.Locale;

/** The decision to send a request again, or the reason for not sending it again. */
public enum RetryDecision {
    /**
     * The request is sent again immediately, on a fresh connection, because a pooled connection closed before the first
     * response byte. The resend needs no retry policy, and is not charged to the retry budget.
     */
    RESEND_FRESH,
    /**
     * The request is sent again after {@link RetryPolicy#delay}, to another endpoint if possible. The retry is charged
     * to the retry budget.
     */
    RETRY,
    /** The client has received part of a response. */
    COMMITTED,
    /** The route does not retry. */
    NO_POLICY,
    /** The route does not retry this kind of failure. */
    NOT_LISTED,
    /** The request is not idempotent, and the origin may have processed it. */
    NOT_IDEMPOTENT,
    /** A part of the request body was forwarded and not kept. */
    BODY_GONE,
    /** The maximum number of attempts of the route is used up. */
    ATTEMPTS_USED,
    /** The deadline has passed, or {@code Retry-After} exceeds the route's limit or the time until the deadline. */
    NO_TIME,
    /** The retry budget is exhausted. */
    BUDGET_SPENT;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the stable, lower-case name, for example {@code not-idempotent}. */
    public String label() {
        return label;
    }

    /** Returns whether the request is sent again. */
    public boolean sendsAgain() {
        return this == RESEND_FRESH || this == RETRY;
    }
}
