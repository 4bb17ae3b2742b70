package dev.lychgate.http;

import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.config.PathPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Converts a request path to normal form, or rejects it. Routes match the normal form, and filters and origins receive
 * it. In normal form:
 *
 * <ul>
 *   <li>only RFC 3986 {@code pchar} and {@code /} occur; other printable ASCII ({@code "<>[]^`{|}}) is percent-encoded;
 *       unreserved characters are not percent-encoded;
 *   <li>the digits of percent-encodings are upper case; nothing is decoded twice ({@code %252e} stays as it is);
 *   <li>only the last segment may be empty, and no segment is {@code .} or {@code ..} in any encoding. Normalization
 *       first removes empty segments, as in nginx: {@code /a//../b} becomes {@code /b}.
 * </ul>
 *
 * <p>Percent-encoded bytes outside ASCII are legal in a URI and are kept. Overlong UTF-8 ({@code %C0%AF}) is rejected,
 * because a lax decoder might read it as a slash or a dot. Normalization is idempotent: with an unchanged policy, a
 * second normalization changes nothing. Stateless and thread-safe.
 *
 * <p>One character of the input represents one byte, because codecs decode request lines as ISO-8859-1. The input
 * contains neither the query nor the {@code *} of OPTIONS.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2">RFC 3986, 6.2.2 Syntax-Based Normalization</a>
 */
public final class PathNormalizer {
    private PathNormalizer() {}

    /**
     * Returns the normal form of {@code rawPath}. If {@code rawPath} is already in normal form, returns the same
     * instance without allocation.
     *
     * @return the normal form; null if the path is rejected, in which case {@link #refusal} returns the reason
     */
    public static @Nullable String normalize(String rawPath, PathPolicy policy) {
        boolean refuses = policy.parameters() == ParameterPolicy.REFUSE;
        if (isNormal(rawPath, policy)) {
            return refuses && PathParameters.present(rawPath) ? null : rawPath;
        }
        PathNormalization normalization = new PathNormalization(rawPath, policy);
        boolean refused = normalization.run() != null || (refuses && normalization.hasParameters());
        return refused ? null : normalization.resultOr(rawPath);
    }

    /**
     * Returns the reason for rejecting {@code rawPath}, as a sentence for logs and error responses. The sentence
     * contains no text from the client.
     *
     * @return the reason; null if the path is accepted
     */
    public static @Nullable String refusal(String rawPath, PathPolicy policy) {
        PathNormalization normalization = new PathNormalization(rawPath, policy);
        PathRefusal refusal = normalization.run();
        if (refusal == null && policy.parameters() == ParameterPolicy.REFUSE && normalization.hasParameters()) {
            refusal = PathRefusal.PARAMETERS;
        }
        return refusal == null ? null : refusal.sentence;
    }

    /**
     * Returns whether servers may interpret {@code rawPath} differently, because a {@code ..} segment follows an empty
     * segment. According to RFC 3986, 5.2.4, {@code ..} then removes the empty segment. Servers that first remove empty
     * segments, as {@link #normalize} does, instead remove the segment before the empty segment.
     */
    public static boolean isAmbiguous(String rawPath) {
        int empty = rawPath.indexOf("//");
        if (empty < 0) {
            return false;
        }
        String rest = rawPath.substring(empty + 1).replace("%2e", ".").replace("%2E", ".");
        return rest.contains("/../") || rest.endsWith("/..");
    }

    /**
     * Returns true if the path is certainly in normal form. If the result is false, the path may still be in normal
     * form, and the slow check must decide.
     */
    private static boolean isNormal(String path, PathPolicy policy) {
        int length = path.length();
        if (length == 0 || path.charAt(0) != '/') {
            return false;
        }
        for (int i = 1; i < length; i++) {
            char c = path.charAt(i);
            if (PathBytes.isPlain(c)) {
                continue;
            }
            if (c == '/') {
                if (path.charAt(i - 1) == '/') {
                    return false;
                }
            } else if (c == '.') {
                if (path.charAt(i - 1) == '/' && mayBeDotSegment(path, i)) {
                    return false;
                }
            } else if (c == '%' && isNormalEncoding(path, i, policy)) {
                i += 2;
            } else {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the segment at {@code from} may be a dot segment: it begins with one or two dots, which are
     * followed by the end of the segment, a semicolon or a percent sign.
     */
    private static boolean mayBeDotSegment(String path, int from) {
        int after = from + 1;
        if (after < path.length() && path.charAt(after) == '.') {
            after++;
        }
        if (after == path.length()) {
            return true;
        }
        char c = path.charAt(after);
        return c == '/' || c == ';' || c == '%';
    }

    private static boolean isNormalEncoding(String path, int at, PathPolicy policy) {
        int octet = PathBytes.encodedAt(path, at);
        return octet >= 0
                && PathBytes.isUpperHex(path.charAt(at + 1))
                && PathBytes.isUpperHex(path.charAt(at + 2))
                && !PathBytes.isUnreserved(octet)
                && PathRefusal.ofEncoded(path, at, octet, policy) == null;
    }
}
