package dev.lychgate.server.secrets;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A reference to a secret in a value of the configuration: <code>${file:secrets/token}</code>.
 *
 * @param subject the path, the name or the encrypted text after the colon
 */
public record SecretReference(Source source, String subject) {
    /**
     * The source of a secret. The lower-case name of the constant is reserved: a placeholder cannot refer to an
     * environment variable of this name.
     */
    public enum Source {
        FILE("PATH"),
        ENV("NAME"),
        CREDENTIAL("NAME"),
        ENCRYPTED("VALUE");

        private final String form;

        Source(String subject) {
            form = "${" + word() + ":" + subject + "}";
        }

        /** Returns the name before the colon. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads the text between the braces.
     *
     * @return the reference; null if the text refers to an environment variable in the plain form, <code>${NAME}</code>
     * @throws SecretException if nothing follows the name of a source
     */
    public static @Nullable SecretReference of(String inside) throws SecretException {
        int colon = inside.indexOf(':');
        String word = colon < 0 ? inside : inside.substring(0, colon);
        Source source = Arrays.stream(Source.values())
                .filter(each -> each.word().equals(word))
                .findFirst()
                .orElse(null);
        if (source == null) {
            return null;
        }
        if (colon < 0 || inside.substring(colon + 1).isBlank()) {
            throw new SecretException(source.form + " for a secret; " + reserved(source));
        }
        return new SecretReference(source, inside.substring(colon + 1));
    }

    private static String reserved(Source source) {
        return "the name '" + source.word() + "' is reserved, so a variable needs another name";
    }

    /** Returns the advice about a variable that has a reserved name, as the end of a message. */
    String remedy() {
        return "; " + reserved(source);
    }

    /** Returns the reference as it is written, with a colon. For an encrypted value, returns only the source. */
    public String written() {
        return source == Source.ENCRYPTED ? source.word() : source.word() + ":" + subject;
    }

    /** Returns the reference in words, for messages in place of the secret. */
    @Override
    public String toString() {
        return switch (source) {
            case FILE -> "file " + subject;
            case ENV -> "environment variable " + subject;
            case CREDENTIAL -> "credential " + subject;
            case ENCRYPTED -> "an encrypted value";
        };
    }
}
