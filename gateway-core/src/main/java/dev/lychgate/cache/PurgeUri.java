package dev.lychgate.cache;

import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.config.PathPolicy;
import dev.lychgate.http.PathNormalizer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Converts the URI of a purge to the form in which keys of stored responses contain it, so that an operator may use any
 * spelling of the URI.
 */
final class PurgeUri {
    /** A policy that accepts a path if at least one possible configuration of a listener accepts the path. */
    private static final PathPolicy LENIENT = new PathPolicy(true, true, true, true, true, true, ParameterPolicy.AUTO);

    private PurgeUri() {}

    /**
     * Returns a URI, or the beginning of a URI, in the form of {@link CacheKey#uri}. Scheme and host are in lower case,
     * the default port is removed, the path has its normal form, and the query is unchanged. A fragment is removed.
     *
     * @throws IllegalArgumentException if the URI has no scheme, no host or no valid path
     */
    static String normal(String uri) {
        String lower = uri.toLowerCase(Locale.ROOT);
        boolean secure = lower.startsWith("https://");
        int from = secure ? 8 : 7;
        if (!secure && !lower.startsWith("http://")) {
            throw new IllegalArgumentException("a URI that begins with http:// or https://");
        }
        int fragment = uri.indexOf('#');
        String rest = uri.substring(from, fragment < 0 ? uri.length() : fragment);
        int end = 0;
        while (end < rest.length() && "/?".indexOf(rest.charAt(end)) < 0) {
            end++;
        }
        if (end == 0) {
            throw new IllegalArgumentException("a URI with a host");
        }
        int query = rest.indexOf('?', end);
        String path = rest.substring(end, query < 0 ? rest.length() : query);
        String normal = path.isEmpty() ? "/" : PathNormalizer.normalize(bytes(path), LENIENT);
        if (normal == null) {
            throw new IllegalArgumentException("a URI with a valid path: " + reason(path));
        }
        return lower.substring(0, from)
                + KeyMaker.host(rest.substring(0, end), secure)
                + normal
                + (query < 0 ? "" : rest.substring(query));
    }

    private static @Nullable String reason(String path) {
        return PathNormalizer.refusal(bytes(path), LENIENT);
    }

    /** Returns the UTF-8 bytes of a path as characters, as the normalizer expects them. */
    private static String bytes(String path) {
        return new String(path.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
