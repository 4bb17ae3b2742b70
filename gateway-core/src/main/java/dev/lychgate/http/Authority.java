package dev.lychgate.http;

/**
 * Validates a Host field. The grammar is {@code name}, {@code name:port}, {@code [ipv6]} or {@code [ipv6]:port}.
 * Percent-encodings are rejected, although RFC 3986 allows them: no client needs a percent-encoding in a host. If
 * percent-encodings were accepted, routes, filters and origins could receive one host under several names.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-7.2">RFC 9110, 7.2 Host and :authority</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc3986#section-3.2">RFC 3986, 3.2 Authority</a>
 */
public final class Authority {
    private static final boolean[] NAME = new boolean[128];

    static {
        for (char c = 'a'; c <= 'z'; c++) {
            NAME[c] = true;
            NAME[c - 32] = true;
        }
        for (char c = '0'; c <= '9'; c++) {
            NAME[c] = true;
        }
        // The sub-delims and unreserved marks that occur in names; a comma never occurs in a name.
        for (char c : "-._~!$&'()*+;=".toCharArray()) {
            NAME[c] = true;
        }
    }

    private Authority() {}

    /** Returns whether {@code text} is exactly a host with an optional port. */
    public static boolean isValid(String text) {
        int length = text.length();
        if (length == 0) {
            return false;
        }
        int i = 0;
        if (text.charAt(0) == '[') {
            int close = text.indexOf(']');
            // Netty accepts any zone identifier after a percent sign, but servers interpret zone identifiers in
            // different ways.
            if (close < 0
                    || text.indexOf('%') >= 0
                    || !io.netty.util.NetUtil.isValidIpV6Address(text.substring(1, close))) {
                return false;
            }
            i = close + 1;
        } else {
            while (i < length && text.charAt(i) != ':') {
                char c = text.charAt(i);
                if (c >= 128 || !NAME[c]) {
                    return false;
                }
                i++;
            }
            if (i == 0) {
                return false;
            }
        }
        return i == length || (text.charAt(i) == ':' && isPort(text, i + 1));
    }

    private static boolean isPort(String text, int from) {
        int port = 0;
        // An empty port ("host:") is valid grammar and means the default port.
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
            port = port * 10 + (c - '0');
            if (port > 65535) {
                return false;
            }
        }
        return true;
    }
}
