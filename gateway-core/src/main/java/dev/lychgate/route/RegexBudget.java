package dev.lychgate.route;

import dev.lychgate.config.RegularExpression;

/** Bounds the regular expressions of one table together: many expressions of legal size can still exhaust the heap. */
final class RegexBudget {
    /** In instructions of about 50 bytes, for all routes; an event loop that matches them needs about as much again. */
    static final int ALL = 200_000;

    private long left = ALL;

    /**
     * Takes what {@code text} needs before it is compiled; texts other than expressions need nothing.
     *
     * @throws IllegalArgumentException with the bound, if less is left
     */
    void charge(String text) {
        if (!text.startsWith(ValuePattern.REGEX)) {
            return;
        }
        // A larger one is refused on its own account, and takes nothing from the others.
        long size = RegularExpression.size(text.substring(ValuePattern.REGEX.length()));
        if (size > RegularExpression.MAX_SIZE) {
            return;
        }
        if (size > left) {
            throw new IllegalArgumentException("at most " + ALL + " instructions in the expressions of all routes");
        }
        left -= size;
    }
}
