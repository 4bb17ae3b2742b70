package dev.lychgate.config;

/**
 * Bounds the regular expressions of one part of a configuration together, because many expressions of legal size can still
 * exhaust the heap. Used by one thread.
 */
public final class RegexBudget {
    /** In instructions of about 50 bytes; an event loop that matches them needs about as much again. */
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
     * @throws IllegalArgumentException with the bound, if less is left
     */
    public void charge(String expression) {
        // A larger one is refused on its own account, and takes nothing from the others.
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
