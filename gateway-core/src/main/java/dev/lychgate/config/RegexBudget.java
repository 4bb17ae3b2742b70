package dev.lychgate.config;

/**
 * Limits the total size of the regular expressions in one part of a configuration, because many expressions of legal size
 * can exhaust the heap. Not thread-safe.
 */
public final class RegexBudget {
    /** The limit, in instructions of about 50 bytes. Each event loop that matches them needs about as much again. */
    public static final int ALL = 200_000;

    private final String part;
    private long left = ALL;

    /** @param part for messages: {@code all routes} */
    public RegexBudget(String part) {
        this.part = part;
    }

    /**
     * Reserves the size of {@code expression}, before it is compiled.
     *
     * @throws IllegalArgumentException with the limit, if {@code expression} would exceed it
     */
    public void charge(String expression) {
        // RegularExpression refuses a larger expression, so that it uses none of the budget.
        long size = RegularExpression.size(expression);
        if (size > RegularExpression.MAX_SIZE) {
            return;
        }
        if (size > left) {
            throw new IllegalArgumentException("at most " + ALL + " instructions in the expressions of " + part);
        }
        left -= size;
    }
}
