package dev.lychgate.server.admin;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
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

    /** A word that says that what stands in quotes on its line may be one. */
    private static final Pattern WORD = Pattern.compile(
            "passw(?:or)?d|passphrase|secret|token|credential|api[-_]?key|authorization|bearer",
            Pattern.CASE_INSENSITIVE);

    /** Where a text begins; a slash only where it can be no division and no comment. */
    private static final Pattern QUOTE = Pattern.compile("['\"]|(?<=[=(,:\\[] {0,4})/(?![/*])");

    /** The end of the last text on a line, with nothing behind it that could be more of it. */
    private static final Pattern CLOSING = Pattern.compile("['\"/][\\s)\\],;}]*\\z");

    private Secrets() {}

    /**
     * Something that is held back. Two of them are equal if what they hold back is, so that a change is seen.
     *
     * @param shown what is told in its place
     */
    record Masked(Object value, String shown) {
        @Override
        public String toString() {
            return shown;
        }
    }

    static @Nullable Masked mask(@Nullable Object value) {
        return value == null ? null : new Masked(value, SHOWN);
    }

    /** Whether a setting of that name is one. */
    static boolean isSecret(String name) {
        return NAME.matcher(name).matches();
    }

    /** Whether the value of a header field of that name is one. */
    static boolean isSecretField(String name) {
        return FIELDS.contains(name.toLowerCase(Locale.ROOT)) || isSecret(name);
    }

    static String withoutUserInfo(String text) {
        return text.contains("://") ? USER_INFO.matcher(text).replaceAll("$1" + SHOWN + "@") : text;
    }

    /** The address of a receiver without user and query, which is where keys of APIs are. */
    static Object url(URI url) {
        String text = withoutUserInfo(url.toString());
        int mark = text.indexOf('?');
        String shown = mark < 0 ? text : text.substring(0, mark + 1) + SHOWN;
        return shown.equals(url.toString()) ? shown : new Masked(url, shown);
    }

    /**
     * A line of a filter's code without what may be a secret: behind the first of the likes of {@code token} nothing is told
     * that stands, or may stand, in quotes, up to the end of the last of them. Which quote opens and which one closes can't be
     * known from one line, so rather too much is left out.
     */
    static String inCode(String line) {
        Matcher word = WORD.matcher(line);
        Matcher quote = QUOTE.matcher(line);
        if (!word.find() || !quote.find()) {
            return withoutUserInfo(line);
        }
        int from = Math.max(word.end(), quote.start() < word.end() ? 0 : quote.end());
        if (line.substring(from).isBlank()) {
            return withoutUserInfo(line);
        }
        Matcher closing = CLOSING.matcher(line).region(from, line.length());
        return withoutUserInfo(line.substring(0, from)) + SHOWN + (closing.find() ? closing.group() : "");
    }
}
