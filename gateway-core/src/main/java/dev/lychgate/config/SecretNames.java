package dev.lychgate.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Recognizes settings and header fields with secret values by their names. Secret values are masked wherever they are
 * displayed.
 */
public final class SecretNames {
    /** The text that replaces a secret. */
    public static final String MASK = "***";

    private static final Pattern NAME = Pattern.compile(
            "(^|.*[-_.])(passwords?|passwd|passphrase|secrets?|tokens?|credentials?|api-?keys?|key|authorization|cookie-?secret)$",
            Pattern.CASE_INSENSITIVE);

    /** Matches the beginning of a word within a name, as in {@code accessToken} and {@code APIKey}. */
    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

    /** The names of header fields that contain credentials, in lower case. */
    private static final Set<String> FIELDS = Set.of("authorization", "proxy-authorization", "cookie", "set-cookie");

    private static final Pattern USER_INFO = Pattern.compile("(://)[^/@\\s]+@");

    private SecretNames() {}

    /**
     * Returns whether values with this name are secret. Examples of such names are {@code access-token}, {@code
     * access_token} and {@code accessToken}.
     */
    public static boolean isSecret(String name) {
        return NAME.matcher(HUMP.matcher(name).replaceAll("_")).matches();
    }

    /** Returns whether the value of a header field with this name is secret. */
    public static boolean isSecretField(String name) {
        return FIELDS.contains(name.toLowerCase(Locale.ROOT)) || isSecret(name);
    }

    /** Returns {@code text} with the user and the password in each URL masked. */
    public static String withoutUserInfo(String text) {
        return text.contains("://") ? USER_INFO.matcher(text).replaceAll("$1" + MASK + "@") : text;
    }

    /**
     * Returns the value of a setting, with its secrets masked. Numbers and other values that are not text are never
     * masked.
     */
    public static Object masked(String name, Object value) {
        boolean holdsText = value instanceof CharSequence || value instanceof Collection || value instanceof Map;
        if (isSecret(name) && holdsText) {
            return MASK;
        }
        if (value instanceof Map<?, ?> map
                && map.keySet().stream().anyMatch(key -> isSecretField(String.valueOf(key)))) {
            Map<Object, Object> masked = new LinkedHashMap<>();
            map.forEach((key, one) -> {
                boolean isMasked = isSecretField(String.valueOf(key)) && one instanceof CharSequence;
                masked.put(key, isMasked ? MASK : one);
            });
            return masked;
        }
        return value;
    }
}
