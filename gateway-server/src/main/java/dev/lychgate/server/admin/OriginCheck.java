package dev.lychgate.server.admin;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The defence against pages of other sites in an operator's browser: it says on whose behalf it asks. What it says can't be
 * forged by a page, and programs that are no browsers say nothing of the kind.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6454#section-7">RFC 6454, The Web Origin Concept, 7</a>
 * @see <a href="https://www.w3.org/TR/fetch-metadata/">Fetch Metadata Request Headers</a>
 */
final class OriginCheck {
    private OriginCheck() {}

    /** Whether a page of another site asks. @param reads whether nothing is changed */
    static boolean isForeign(HttpHeaders headers, boolean reads) {
        List<String> sites = headers.getAll("sec-fetch-site");
        for (String site : sites) {
            if (!site.equals("same-origin") && !site.equals("none") && !(reads && isVisit(headers))) {
                return true;
            }
        }
        List<String> origins = headers.getAll(HttpHeaderNames.ORIGIN);
        return !origins.isEmpty() && (origins.size() > 1 || !isOurs(origins.get(0), headers.get(HttpHeaderNames.HOST)));
    }

    /** Somebody follows a link to us from elsewhere; the page that has the link sees nothing of what comes. */
    private static boolean isVisit(HttpHeaders headers) {
        return "navigate".equals(headers.get("sec-fetch-mode")) && "document".equals(headers.get("sec-fetch-dest"));
    }

    /** Of the same host and port; whether TLS is spoken may have been decided by a proxy in front of us. */
    private static boolean isOurs(String origin, @Nullable String host) {
        int scheme = origin.indexOf("://");
        return host != null
                && scheme > 0
                && authority(origin.substring(scheme + 3)).equals(authority(host));
    }

    private static String authority(String written) {
        String lower = written.toLowerCase(Locale.ROOT);
        return lower.replaceFirst(":(80|443)$", "");
    }
}
