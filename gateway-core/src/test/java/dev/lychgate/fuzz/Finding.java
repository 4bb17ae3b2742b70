package dev.lychgate.fuzz;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A violation of a rule. */
final class Finding extends AssertionError {
    private static final long serialVersionUID = 1;

    Finding(String what, @Nullable Throwable cause) {
        super(what, cause);
    }

    static void unless(boolean condition, String what, @Nullable Object... details) {
        if (!condition) {
            throw new Finding(String.format(Locale.ROOT, what, details), null);
        }
    }
}
