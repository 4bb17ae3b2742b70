package dev.lychgate.generation;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.RedirectLocation;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The redirects of listeners that redirect clients to HTTPS. Immutable and thread-safe. */
public final class HttpsRedirects {
    /**
     * Prefix of paths that are not redirected. Certificate authorities request these paths without TLS, because the
     * server may not have a certificate yet.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc8555#section-8.3">RFC 8555, 8.3 HTTP Challenge</a>
     */
    private static final String CHALLENGES = "/.well-known/acme-challenge/";

    private final Map<String, RedirectLocation> byListener = new HashMap<>();

    private HttpsRedirects() {}

    static HttpsRedirects of(GatewayConfig config) {
        HttpsRedirects redirects = new HttpsRedirects();
        for (ListenerConfig listener : config.listeners()) {
            int port = listener.redirectToHttps();
            if (port > 0) {
                String place = port == 443 ? "" : ":" + port;
                redirects.byListener.put(
                        listener.name(), RedirectLocation.parse("https://{host}" + place + "{path}{query}"));
            }
        }
        return redirects;
    }

    /** Returns the location to which {@code request} is redirected; null if {@code request} is not redirected. */
    public @Nullable RedirectLocation of(String listener, RequestHead request) {
        RedirectLocation to = byListener.isEmpty() ? null : byListener.get(listener);
        return to == null || request.path().startsWith(CHALLENGES) ? null : to;
    }
}
