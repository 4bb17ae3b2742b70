package dev.lychgate.server.yaml;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces placeholders in scalar values with environment variables: <code>${NAME}</code>, <code>${NAME:default}</code>, and
 * <code>$${</code> for a literal <code>${</code>. Placeholders are replaced after the file was parsed, so a value is never
 * parsed as YAML or as another placeholder.
 */
final class Placeholders {
    private static final Pattern FORM = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)(}?)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Environment environment;

    Placeholders(Environment environment) {
        this.environment = environment;
    }

    static boolean anyIn(String text) {
        return text.contains("${");
    }

    /**
     * Returns the text with every placeholder replaced.
     *
     * @throws IllegalArgumentException if a placeholder is malformed, or its variable has neither a value nor a default; the
     *     message states the expected form
     */
    String fill(String text) {
        Matcher m = FORM.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (m.find()) {
            m.appendReplacement(filled, Matcher.quoteReplacement(replacement(m.group(1), m.group(2))));
        }
        return m.appendTail(filled).toString();
    }

    private String replacement(@Nullable String inside, @Nullable String brace) {
        if (inside == null || brace == null) {
            return "${"; // the escape
        }
        if (brace.isEmpty()) {
            throw new IllegalArgumentException("a closing brace, or $${ for a literal ${");
        }
        int colon = inside.indexOf(':');
        String name = colon < 0 ? inside : inside.substring(0, colon);
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "${NAME} or ${NAME:default} with a name of letters, digits and '_', or $${ for a literal ${");
        }
        String value = environment.get(name);
        if (value != null) {
            return value;
        }
        if (colon < 0) {
            throw new IllegalArgumentException(
                    "environment variable " + name + " to be set, or a default: ${" + name + ":default}");
        }
        return inside.substring(colon + 1);
    }
}
