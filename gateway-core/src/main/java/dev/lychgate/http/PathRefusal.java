package dev.lychgate.http;

import dev.lychgate.config.PathPolicy;
import org.jspecify.annotations.Nullable;

/** The reasons for rejecting a path. The sentences are sent to clients and logged, so they contain no received text. */
enum PathRefusal {
    NO_SLASH("The path does not begin with a slash."),
    BAD_ENCODING("The path has a percent sign without two hexadecimal digits after it."),
    BAD_CHARACTER("The path has a character that is not allowed in a path."),
    CONTROL("The path has a control byte."),
    ENCODED_SLASH("The path has an encoded slash."),
    BACKSLASH("The path has a backslash."),
    DOT_PARAMETERS(
            "The path has a dot segment with parameters, or a dot segment after a segment with only parameters."),
    PARAMETERS("The path has parameters."),
    ABOVE_ROOT("The path leads above the root."),
    NON_ASCII("The path has a byte outside ASCII that is not percent-encoded."),
    OVERLONG("The path has an overlong UTF-8 encoding.");

    final String sentence;

    PathRefusal(String sentence) {
        this.sentence = sentence;
    }

    /** Returns the reason for rejecting a byte that was sent unencoded; null if the byte is allowed. */
    static @Nullable PathRefusal ofRaw(char c, PathPolicy policy) {
        if (c == '\\') {
            return policy.allowBackslash() ? null : BACKSLASH;
        }
        if (PathBytes.isControl(c)) {
            return CONTROL;
        }
        // A space ends the target, a question mark ends the path, and clients never send fragments (RFC 9112, 3.2).
        if (c == ' ' || c == '?' || c == '#' || c > 0xff) {
            return BAD_CHARACTER;
        }
        return c < 128 || policy.allowNonAscii() ? null : NON_ASCII;
    }

    /**
     * Returns the reason for rejecting the byte {@code octet}, which is percent-encoded at {@code at}; null if the byte
     * is allowed.
     */
    static @Nullable PathRefusal ofEncoded(String path, int at, int octet, PathPolicy policy) {
        if (octet == '/') {
            return policy.allowEncodedSlash() ? null : ENCODED_SLASH;
        }
        if (octet == '\\') {
            return policy.allowBackslash() ? null : BACKSLASH;
        }
        if (PathBytes.isControl(octet)) {
            return policy.allowControl() ? null : CONTROL;
        }
        return octet < 0xc0 || policy.allowNonAscii() || !isOverlong(path, at, octet) ? null : OVERLONG;
    }

    /** Returns whether an overlong UTF-8 sequence begins at {@code at} (RFC 3629, 3). */
    private static boolean isOverlong(String path, int at, int first) {
        int second = PathBytes.encodedAt(path, at + 3);
        return switch (first) {
            case 0xc0, 0xc1 -> true;
            case 0xe0 -> second >= 0x80 && second < 0xa0;
            case 0xf0 -> second >= 0x80 && second < 0x90;
            default -> false;
        };
    }
}
