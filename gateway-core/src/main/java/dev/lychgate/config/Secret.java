package dev.lychgate.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A value that must not be displayed. Secrets with the same value are equal, so that a reload detects a changed value.
 * In the settings of a filter, a value has this type if the configuration file contains only a reference to it, such as
 * <code>${file:PATH}</code>.
 */
public record Secret(String value) {
    private static final int SHORTEST = 3;

    @Override
    public String toString() {
        return SecretNames.MASK;
    }

    /** Returns whether the value of a setting is a secret, or a list or mapping that contains a secret. */
    public static boolean isIn(@Nullable Object setting) {
        return texts(setting).findAny().isPresent();
    }

    /** Returns the secrets in the value of a setting, including secrets in lists and mappings. */
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
     * Replaces secrets in a text with a mask. Longer secrets are replaced first, because a short secret may be a part
     * of a longer secret.
     *
     * @param secrets the secrets. Secrets with fewer than three characters are ignored: their characters also occur in
     *     other words by chance, and a mask at such a place would reveal the secret
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
