package dev.lychgate.http;

/**
 * Contains the character classes of paths, and reads and writes percent-encodings.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc3986#section-3.3">RFC 3986, 3.3 Path</a>
 */
final class PathBytes {
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    private static final String PCHAR = UNRESERVED + "!$&'()*+,;=:@";

    /** Characters that the fast scan skips: all characters of {@code pchar} except the dot. */
    private static final boolean[] PLAIN = set(PCHAR.replace(".", ""));

    private static final boolean[] IN_UNRESERVED = set(UNRESERVED);
    private static final boolean[] IN_PCHAR = set(PCHAR);
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private PathBytes() {}

    static boolean isPlain(char c) {
        return c < 128 && PLAIN[c];
    }

    static boolean isUnreserved(int octet) {
        return octet < 128 && IN_UNRESERVED[octet];
    }

    static boolean isPchar(int octet) {
        return octet < 128 && IN_PCHAR[octet];
    }

    static boolean isControl(int octet) {
        return octet < 0x20 || octet == 0x7f;
    }

    static boolean isUpperHex(char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F');
    }

    /**
     * Returns the byte that is percent-encoded at index {@code at}; -1 if there is no percent sign with two hex digits.
     */
    static int encodedAt(String path, int at) {
        if (at + 2 >= path.length() || path.charAt(at) != '%') {
            return -1;
        }
        int high = hex(path.charAt(at + 1));
        int low = hex(path.charAt(at + 2));
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    static void appendEncoded(StringBuilder out, int octet) {
        out.append('%').append(HEX[octet >> 4]).append(HEX[octet & 15]);
    }

    // Character.digit is not used, because it also accepts digits of other scripts.
    private static int hex(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int letter = c | 0x20;
        return c < 128 && letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    }

    private static boolean[] set(String members) {
        boolean[] set = new boolean[128];
        members.chars().forEach(c -> set[c] = true);
        return set;
    }
}
