package dev.lychgate.resilience;

import java.util.Locale;

/** Whether a request is sent again, and why not. */
public enum RetryDecision {
    /**
     * At once, on a fresh connection: a pooled one had died before it carried a byte of an answer. An accident of ours,
     * which neither the policy nor the budget has a say in.
     */
    RESEND_FRESH,
    /** After {@link RetryPolicy#delay}, to another endpoint if there is one; the budget has paid for it. */
    RETRY,
    /** The client has part of an answer. */
    COMMITTED,
    /** The route does not retry. */
    NO_POLICY,
    /** The route does not retry after such a failure. */
    NOT_LISTED,
    /** It might be done twice, and must not be. */
    NOT_IDEMPOTENT,
    /** Part of its body has gone and was not kept. */
    BODY_GONE,
    /** It has been tried as often as the route allows. */
    ATTEMPTS_USED,
    /** The origin asks for more patience than there is, or the exchange is nearly over. */
    NO_TIME,
    /** Too much is being sent again already. */
    BUDGET_SPENT;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The stable, lower-case name: {@code not-idempotent}. */
    public String label() {
        return label;
    }

    /** Whether it is sent again. */
    public boolean sendsAgain() {
        return this == RESEND_FRESH || this == RETRY;
    }
}
