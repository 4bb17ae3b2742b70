package dev.lychgate.filters.groovy;

import dev.lychgate.extension.FilterDialect;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Adds advice to the compiler's message that a class does not exist. */
final class MissingClass {
    private static final Pattern IN_GROOVY = Pattern.compile("unable to resolve class ([\\w.$]+)");
    private static final Pattern PACKAGE_IN_JAVA = Pattern.compile("package ([\\w.]+) does not exist");
    private static final Pattern CLASS_IN_JAVA =
            Pattern.compile("cannot find symbol\\s+symbol:\\s+class (\\w+)(?:\\s+location:\\s+package ([\\w.]+))?");
    /** Finds advice that already follows the name of the class. */
    private static final Pattern ADVISED = Pattern.compile("unable to resolve class [\\w.$]+\\s*[:;]");

    private static final String GENERAL =
            "put the jar with this class into filters.libraries, or its source into lib/ of the filter directory";

    private MissingClass() {}

    /**
     * Returns the message with the advice of the dialect; null if the dialect has no advice.
     *
     * @param dialect the dialect in which files may be written; null without a dialect
     */
    static @Nullable String advised(String message, @Nullable FilterDialect dialect) {
        String missing = dialect == null ? null : missing(message);
        String advice = missing == null || dialect == null ? null : dialect.remedy(missing);
        return advice == null ? null : message.strip() + ": " + advice;
    }

    /**
     * Appends general advice to a message that reports a missing class and contains no advice. Returns other messages
     * unchanged. Without a dialect, returns every message unchanged.
     *
     * @param dialect the dialect in which files may be written; null without a dialect
     */
    static String completed(String message, @Nullable FilterDialect dialect) {
        boolean complete = dialect == null
                || missing(message) == null
                || ADVISED.matcher(message).find();
        return complete ? message : message.strip() + ": " + GENERAL;
    }

    /**
     * Returns the name of the missing class, or the name of the missing package with a dot at its end. Returns null if
     * the message reports something else.
     */
    private static @Nullable String missing(String message) {
        Matcher groovy = IN_GROOVY.matcher(message);
        if (groovy.find()) {
            return groovy.group(1);
        }
        Matcher inPackage = PACKAGE_IN_JAVA.matcher(message);
        if (inPackage.find()) {
            return inPackage.group(1) + ".";
        }
        Matcher symbol = CLASS_IN_JAVA.matcher(message);
        if (!symbol.find()) {
            return null;
        }
        return symbol.group(2) == null ? symbol.group(1) : symbol.group(2) + "." + symbol.group(1);
    }
}
