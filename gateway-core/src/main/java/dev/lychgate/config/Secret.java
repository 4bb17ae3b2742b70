package dev.lychgate.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A value that must not be displayed. Secrets with the same value are equal, so that a changed value is detected. In
 * the settings of a filter, this type marks a value to which the file only refers, such as <code>${file:PATH}</code>.
 */
public record Secret(String value) {
    private static final int SHORTEST = 3;

    @Override
    public String toString() {
        return SecretNames.MASK;
    }

    /** Returns whether a value of a setting is a secret, or a list or mapping that contains one. */
    public static boolean isIn(@Nullable Object setting) {
        return texts(setting).findAny().isPresent();
    }

    /** Returns the secrets of a value of a setting, in lists and mappings as well. */
    public static List<String> in(@Nullable Object setting) {
        return texts(setting).toList();
    }

    private static Stream<String> texts(@Nullable Object setting) {
        if (setting instanceof Secret secret) {
            return Stream.of(secret.value);
        }
        if (setting instanceof Map<?, ?> map) {
            return map.values().stream().flatMap(Secret::texts);
        }
        return setting instanceof Collection<?> list ? list.stream().flatMap(Secret::texts) : Stream.empty();
    }

    /**
     * Replaces secrets in a text. Longer secrets are replaced first: if a short secret is the beginning of a longer
     * one, the end of the longer one must not remain in the text.
     *
     * @param secrets the secrets. Secrets with less than three characters are ignored: they occur in texts by chance,
     *     so replacing them would reveal them
     */
    public static String hide(String text, Collection<String> secrets) {
        if (secrets.isEmpty()) {
            return text;
        }
        List<String> longest = new ArrayList<>(secrets);
        longest.sort((one, other) -> Integer.compare(other.length(), one.length()));
        String hidden = text;
        for (String secret : longest) {
            hidden = secret.length() < SHORTEST ? hidden : hidden.replace(secret, SecretNames.MASK);
        }
        return hidden;
    }
}
