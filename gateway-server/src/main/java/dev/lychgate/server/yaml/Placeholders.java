package dev.lychgate.server.yaml;

import dev.lychgate.server.secrets.SecretException;
import dev.lychgate.server.secrets.SecretReference;
import dev.lychgate.server.secrets.SecretSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces placeholders in scalar values:
 *
 * <ul>
 *   <li><code>${NAME}</code> and <code>${NAME:default}</code> by environment variables
 *   <li>references such as <code>${file:PATH}</code> by secrets
 *   <li><code>$${</code> by a literal <code>${</code>
 * </ul>
 *
 * Placeholders are replaced after the file was parsed, so a value is never parsed as YAML or as another placeholder.
 */
final class Placeholders {
    private static final Pattern FORM = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)(}?)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern ENCRYPTED = Pattern.compile("\\$\\{encrypted:[^}]+");

    private final Environment environment;
    /** The sources of secrets; null until the first reference to a secret. */
    private @Nullable SecretSources sources;

    /**
     * A text after its placeholders were replaced.
     *
     * @param secrets the secrets in the text, by their references
     * @param exposed the files of these secrets that every user of the machine can read
     */
    record Filled(String text, Map<SecretReference, String> secrets, List<Path> exposed) {
        boolean isSecret() {
            return !secrets.isEmpty();
        }

        @Override
        public String toString() {
            return isSecret() ? "***" : text;
        }
    }

    /** Reports a reference to a secret that cannot be read. */
    static final class BadReference extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        /** The offset of the reference in the value, in characters. */
        final int offset;

        BadReference(int offset, SecretException why) {
            super(why.expected());
            this.offset = offset;
        }
    }

    Placeholders(Environment environment) {
        this.environment = environment;
    }

    static boolean anyIn(String text) {
        return text.contains("${");
    }

    /** Returns whether a text contains a reference to a secret, complete or not. */
    static boolean anySecretIn(String text) {
        Matcher found = FORM.matcher(text);
        while (anyIn(text) && found.find()) {
            String inside = found.group(1);
            try {
                if (inside != null && SecretReference.of(inside) != null) {
                    return true;
                }
            } catch (SecretException e) {
                return true;
            }
        }
        return false;
    }

    /** Returns the text for messages, without encrypted values, which are long. */
    static String shown(String text) {
        return anyIn(text) ? ENCRYPTED.matcher(text).replaceAll("\\${encrypted:...") : text;
    }

    /**
     * Returns the text with every placeholder replaced.
     *
     * @param file the file that contains the text
     * @throws IllegalArgumentException if a placeholder is malformed, its variable has neither a value nor a
     *     default, or a secret cannot be read; the message is the expected form
     */
    Filled fill(String text, Path file) {
        Matcher m = FORM.matcher(text);
        StringBuilder filled = new StringBuilder();
        Map<SecretReference, String> secrets = new LinkedHashMap<>();
        List<Path> exposed = new ArrayList<>();
        while (m.find()) {
            SecretReference secret = reference(m);
            String value;
            if (secret == null) {
                value = replacement(m.group(1), m.group(2));
            } else {
                SecretSources.Found found = read(secret, file, m.start());
                value = found.text();
                secrets.put(secret, value);
                if (found.exposed() != null) {
                    exposed.add(found.exposed());
                }
            }
            m.appendReplacement(filled, Matcher.quoteReplacement(value));
        }
        return new Filled(m.appendTail(filled).toString(), secrets, exposed);
    }

    private static @Nullable SecretReference reference(Matcher found) {
        String inside = found.group(1);
        if (inside == null || String.valueOf(found.group(2)).isEmpty()) {
            return null;
        }
        try {
            return SecretReference.of(inside);
        } catch (SecretException e) {
            throw new BadReference(found.start(), e);
        }
    }

    private SecretSources.Found read(SecretReference secret, Path file, int offset) {
        SecretSources from = sources == null ? new SecretSources(environment::get) : sources;
        sources = from;
        try {
            return from.read(secret, file);
        } catch (SecretException e) {
            throw new BadReference(offset, e);
        }
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

    /** Returns the files of secrets that were read or are missing. */
    Set<Path> files() {
        return sources == null ? Set.of() : sources.files();
    }
}
