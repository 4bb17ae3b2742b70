package dev.lychgate.filters.groovy;

import org.jspecify.annotations.Nullable;

/**
 * Refuses brackets within brackets beyond what anybody writes: the parser would be busy with them for hours, and can't be
 * interrupted.
 */
final class Nesting {
    /** Deepest that is compiled. Brackets in texts and comments count, as nobody writes so many of them open there either. */
    static final int DEEPEST = 100;

    private Nesting() {}

    /** @return what is wrong with the file; null if nothing is */
    static @Nullable FilterFault look(FilterSource file) {
        int depth = 0;
        int line = 1;
        for (int i = 0; i < file.text().length(); i++) {
            switch (file.text().charAt(i)) {
                case '\n' -> line++;
                case '(', '[', '{' -> depth++;
                case ')', ']', '}' -> depth = Math.max(0, depth - 1);
                default -> {}
            }
            if (depth > DEEPEST) {
                return new FilterFault(file.path(), line, 0, "more than " + DEEPEST + " brackets within one another");
            }
        }
        return null;
    }
}
