package dev.lychgate.generation;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.RedirectLocation;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where listeners that only send clients on to HTTPS send them. */
public final class HttpsRedirects {
    /**
     * Goes its ordinary way: certificate authorities ask without TLS, for there may be no certificate yet.
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

    /** Where {@code request} is to be sent; null if it is served here. */
    public @Nullable RedirectLocation of(String listener, RequestHead request) {
        RedirectLocation to = byListener.isEmpty() ? null : byListener.get(listener);
        return to == null || request.path().startsWith(CHALLENGES) ? null : to;
    }
}
