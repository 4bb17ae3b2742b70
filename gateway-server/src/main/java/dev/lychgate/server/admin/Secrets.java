package dev.lychgate.server.admin;

import dev.lychgate.config.SecretNames;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hides secrets in configurations and filter code, even from operators, because users copy pages to tickets and chats.
 */
final class Secrets {
    private static final String SHOWN = SecretNames.MASK;

    /** Words that mark quoted texts on their line as possible secrets. */
    private static final Pattern WORD = Pattern.compile(
            "passw(?:or)?d|passphrase|secret|token|credential|api[-_]?key|authorization|bearer",
            Pattern.CASE_INSENSITIVE);

    /** The start of a quoted text. A slash counts only if it can be neither a division nor the start of a comment. */
    private static final Pattern QUOTE = Pattern.compile("['\"]|(?<=[=(,:\\[] {0,4})/(?![/*])");

    /** The end of the last quoted text on a line, if only closing brackets and separators follow. */
    private static final Pattern CLOSING = Pattern.compile("['\"/][\\s)\\],;}]*\\z");

    private Secrets() {}

    /**
     * A masked value. Two masked values are equal if their original values are equal, so a comparison still detects a
     * changed secret.
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

    /** Returns the address of a receiver without user and query, which may contain API keys. */
    static Object url(URI url) {
        String text = SecretNames.withoutUserInfo(url.toString());
        int mark = text.indexOf('?');
        String shown = mark < 0 ? text : text.substring(0, mark + 1) + SHOWN;
        return shown.equals(url.toString()) ? shown : new Masked(url, shown);
    }

    /**
     * Hides possible secrets in a line of filter code. If the line contains a quoted text and a word such as {@code
     * token}, the rest of the line is hidden. The hidden part begins after the word or after the first opening
     * quotation mark, whichever is later. A closing quotation mark at the end of the line stays visible. Text that is
     * not secret may also be hidden, because a single line does not show where a text begins.
     */
    static String inCode(String line) {
        Matcher word = WORD.matcher(line);
        Matcher quote = QUOTE.matcher(line);
        if (!word.find() || !quote.find()) {
            return SecretNames.withoutUserInfo(line);
        }
        int from = Math.max(word.end(), quote.start() < word.end() ? 0 : quote.end());
        if (line.substring(from).isBlank()) {
            return SecretNames.withoutUserInfo(line);
        }
        Matcher closing = CLOSING.matcher(line).region(from, line.length());
        return SecretNames.withoutUserInfo(line.substring(0, from)) + SHOWN + (closing.find() ? closing.group() : "");
    }
}
