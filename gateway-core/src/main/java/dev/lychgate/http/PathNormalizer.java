package dev.lychgate.http;

import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.config.PathPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Brings a request path into the one form that routes match, filters see and origins get, or refuses it. In the normal
 * form
 *
 * <ul>
 *   <li>there are only the characters of RFC 3986 {@code pchar} and {@code /}; other printable ASCII ({@code "<>[]^`{|}})
 *       is percent-encoded, and unreserved characters are not;
 *   <li>the digits of a percent-encoding are upper case; nothing is decoded twice ({@code %252e} stays as it is);
 *   <li>no segment but the last is empty, and none is {@code .} or {@code ..}, however they were written. Empty segments
 *       go first, as in nginx: {@code /a//../b} is {@code /b}.
 * </ul>
 *
 * <p>Percent-encoded bytes outside ASCII are legal in a URI and stay, but for overlong UTF-8 ({@code %C0%AF}), with which
 * a careless decoder would be shown a slash or dot that we did not see. The form is a fixed point: normalizing it again,
 * under the same policy, gives the same path. Stateless; any thread.
 *
 * <p>A character of the input stands for one byte (ISO-8859-1), as the codecs read request lines. The query is not part
 * of the path and never comes here, nor does the {@code *} of OPTIONS.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2">RFC 3986, 6.2.2 Syntax-Based Normalization</a>
 */
public final class PathNormalizer {
    private PathNormalizer() {}

    /**
     * The normal form of {@code rawPath}, which is the same instance, without any allocation, where the path is in its
     * normal form already.
     *
     * @return null if the path is refused; {@link #refusal} says why
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
     * Why {@code rawPath} is refused: a sentence for logs and error answers that repeats nothing the client sent.
     *
     * @return null if the path is not refused
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
     * Whether servers differ in what {@code rawPath} means: a dot segment follows an empty one, which it takes back (RFC 3986,
     * 5.2.4) unless empty segments go first, as in {@link #normalize}.
     */
    public static boolean isAmbiguous(String rawPath) {
        int empty = rawPath.indexOf("//");
        if (empty < 0) {
            return false;
        }
        String rest = rawPath.substring(empty + 1).replace("%2e", ".").replace("%2E", ".");
        return rest.contains("/../") || rest.endsWith("/..");
    }

    /** Whether the path is surely normal; a false "no" costs the slow way, nothing else. */
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

    /** Whether one or two dots at {@code from} are followed by the end of the segment or anything but a plain character. */
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
