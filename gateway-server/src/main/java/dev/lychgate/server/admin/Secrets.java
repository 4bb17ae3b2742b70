package dev.lychgate.server.admin;

import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteAction;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What of a configuration and of the code of filters is not told, not even to operators: pages get into tickets and chats. */
final class Secrets {
    private static final String SHOWN = "***";

    private static final Pattern NAME = Pattern.compile(
            "(^|.*[-_.])(passwords?|passwd|passphrase|secrets?|tokens?|credentials?|api-?keys?|key|authorization|cookie-?secret)$",
            Pattern.CASE_INSENSITIVE);

    /** Fields of requests that prove who somebody is. */
    private static final Set<String> FIELDS = Set.of("authorization", "proxy-authorization", "cookie", "set-cookie");

    private static final Pattern USER_INFO = Pattern.compile("(://)[^/@\\s]+@");

    /** What stands in quotes behind a word that says what it is, on one line. */
    private static final Pattern IN_CODE = Pattern.compile(
            "((?:passw(?:or)?d|passphrase|secret|token|credential|api[-_]?key|authorization|bearer)[^\"'\\n]{0,40}(['\"]))(?:(?!\\2).)+",
            Pattern.CASE_INSENSITIVE);

    private Secrets() {}

    /** Something that is held back. Two of them are equal if what they hold back is, so that a change is seen. */
    record Masked(Object value) {
        @Override
        public String toString() {
            return SHOWN;
        }
    }

    static @Nullable Masked mask(@Nullable Object value) {
        return value == null ? null : new Masked(value);
    }

    /** Whether a setting of that name is one. */
    static boolean isSecret(String name) {
        return NAME.matcher(name).matches();
    }

    /** Whether a component of a record is one. The key of a certificate is a path, and tells nothing. */
    static boolean isSecret(Record settings, String name) {
        return isSecret(name) && !(settings instanceof CertificateConfig && name.equals("key"));
    }

    /** Whether the value of a header field of that name is one. */
    static boolean isSecretField(String name) {
        return FIELDS.contains(name.toLowerCase(Locale.ROOT)) || isSecret(name);
    }

    /** Header fields: those that are matched and answered by name; of what is sent elsewhere nothing is told. */
    static Map<String, @Nullable Object> fields(Record settings, Map<?, ?> fields) {
        boolean byName = settings instanceof MatchConfig || settings instanceof RouteAction.Respond;
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        fields.forEach((name, value) ->
                tree.put(String.valueOf(name), !byName || isSecretField(String.valueOf(name)) ? mask(value) : value));
        return tree;
    }

    static String withoutUserInfo(String text) {
        return text.contains("://") ? USER_INFO.matcher(text).replaceAll("$1" + SHOWN + "@") : text;
    }

    /** A line of a filter's code without what stands in quotes behind the likes of {@code token}. */
    static String inCode(String line) {
        return withoutUserInfo(IN_CODE.matcher(line).replaceAll("$1" + SHOWN));
    }
}
