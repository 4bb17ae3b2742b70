package dev.lychgate.filters.groovy;

import dev.lychgate.extension.FilterDialect;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Adds the advice of a dialect to the compiler's message that a class does not exist. */
final class MissingClass {
    private static final Pattern MESSAGE = Pattern.compile("unable to resolve class ([\\w.$]+)");

    private MissingClass() {}

    /**
     * Returns the message with the advice; null if there is none.
     *
     * @param dialect the dialect in which files may be written; null for none
     */
    static @Nullable String advised(String message, @Nullable FilterDialect dialect) {
        Matcher missing = MESSAGE.matcher(message);
        String advice = dialect != null && missing.find() ? dialect.remedy(missing.group(1)) : null;
        return advice == null ? null : message.strip() + ": " + advice;
    }
}
