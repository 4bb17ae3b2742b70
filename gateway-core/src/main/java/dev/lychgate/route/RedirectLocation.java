package dev.lychgate.route;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The location of a redirect. It may contain three variables: {@code {host}} is the requested name without its port,
 * {@code {path}} is the path, and {@code {query}} is the query with its question mark.
 *
 * <p>Client input can neither end the header field nor change the target of the location. All characters except visible
 * ASCII are percent-encoded. A malformed host is never copied into the location. If a path would be parsed as an
 * authority ({@code //evil.example}), its extra slashes are removed.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2">RFC 9110, 10.2.2 Location</a>
 */
public final class RedirectLocation {
    private enum Variable {
        HOST("{host}"),
        PATH("{path}"),
        QUERY("{query}");

        private final String text;

        Variable(String text) {
            this.text = text;
        }
    }

    /** A literal and the variable that follows it; the variable is null at the end. */
    private record Piece(String literal, @Nullable Variable variable) {}

    private final List<Piece> pieces;

    private RedirectLocation(List<Piece> pieces) {
        this.pieces = List.copyOf(pieces);
    }

    /**
     * Parses the location of a redirect.
     *
     * @throws IllegalArgumentException if {@code location} is malformed; the message states the expected form
     */
    public static RedirectLocation parse(String location) {
        List<Piece> pieces = new ArrayList<>();
        int at = 0;
        int open;
        while ((open = location.indexOf('{', at)) >= 0) {
            Variable variable = variableAt(location, open);
            pieces.add(new Piece(location.substring(at, open), variable));
            at = open + variable.text.length();
        }
        pieces.add(new Piece(location.substring(at), null));
        return new RedirectLocation(pieces);
    }

    private static Variable variableAt(String location, int open) {
        for (Variable variable : Variable.values()) {
            if (location.startsWith(variable.text, open)) {
                return variable;
            }
        }
        throw new IllegalArgumentException("only the variables {host}, {path} and {query}");
    }

    /**
     * Inserts the values of a request.
     *
     * @param host the requested host name and port
     * @param path the path in normal form
     * @param query the query without the question mark; null = no query
     * @return the location; null if the location contains the host and the request has no host or a malformed host
     */
    public @Nullable String expand(String host, String path, @Nullable String query) {
        if (pieces.size() == 1) {
            return pieces.get(0).literal;
        }
        StringBuilder out = new StringBuilder(128);
        for (Piece piece : pieces) {
            // "{path}/x" with the path "/" must not become "//x", which denotes a host.
            boolean twice = out.length() == 1 && out.charAt(0) == '/' && piece.literal.startsWith("/");
            out.append(piece.literal, twice ? 1 : 0, piece.literal.length());
            if (piece.variable == Variable.HOST) {
                int end = HostPattern.nameEnd(host);
                if (!isSafeHost(host, end)) {
                    return null;
                }
                out.append(host, 0, end);
            } else if (piece.variable == Variable.PATH) {
                appendPath(out, path);
            } else if (piece.variable == Variable.QUERY && query != null) {
                appendVisible(out.append('?'), query, 0);
            }
        }
        return out.toString();
    }

    private static void appendPath(StringBuilder out, String path) {
        int from = 0;
        while (from < path.length() && (path.charAt(from) == '/' || path.charAt(from) == '\\')) {
            from++;
        }
        if (out.length() == 0 || out.charAt(out.length() - 1) != '/') {
            out.append('/');
        }
        appendVisible(out, path, path.equals("*") ? 1 : from);
    }

    private static void appendVisible(StringBuilder out, String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0x20 && c < 0x7f) {
                out.append(c);
            } else {
                byte[] bytes =
                        c < 0x100 ? new byte[] {(byte) c} : String.valueOf(c).getBytes(StandardCharsets.UTF_8);
                for (byte octet : bytes) {
                    out.append('%').append(Character.toUpperCase(Character.forDigit(octet >> 4 & 15, 16)));
                    out.append(Character.toUpperCase(Character.forDigit(octet & 15, 16)));
                }
            }
        }
    }

    private static boolean isSafeHost(String host, int end) {
        for (int i = 0; i < end; i++) {
            char c = host.charAt(i);
            boolean letterOrDigit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!letterOrDigit && "-._~[]:".indexOf(c) < 0) {
                return false;
            }
        }
        return end > 0;
    }
}
