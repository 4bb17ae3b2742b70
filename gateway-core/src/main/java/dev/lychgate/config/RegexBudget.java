package dev.lychgate.config;

/**
 * Limits the total size of the regular expressions in one part of a configuration. The limit of each single expression
 * is not sufficient, because many expressions could exhaust the heap. Not thread-safe.
 */
public final class RegexBudget {
    /**
     * The limit, in instructions. An instruction takes about 50 bytes. In addition, each event loop that matches the
     * expressions needs about as much memory as the compiled expressions.
     */
    public static final int ALL = 200_000;

    private final String part;
    private long left = ALL;

    /** @param part the name of the part in messages, such as {@code all routes} */
    public RegexBudget(String part) {
        this.part = part;
    }

    /**
     * Subtracts the size of {@code expression} from the budget. Must be called before the expression is compiled.
     *
     * @throws IllegalArgumentException if {@code expression} would exceed the limit; the message states the limit
     */
    public void charge(String expression) {
        // RegularExpression refuses expressions above its maximum size, so they use none of this budget.
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
