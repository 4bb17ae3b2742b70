package dev.lychgate.generation;

import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Restricts the pages that may open a WebSocket. A browser lets any page open a WebSocket to any host, and sends the
 * cookies of this host. The browser merely reports the origin of the page (scheme, host and port) in the header {@code
 * Origin}. The server must therefore check this origin. If no origins are configured, a route accepts only pages from
 * the host in the {@code Host} header of the request.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455#section-10.2">RFC 6455, 10.2 Origin Considerations</a>
 */
final class OriginCheck {
    private final WebSocketConfig config;
    private final List<Below> below = new ArrayList<>();

    /**
     * Matches origins that begin with {@code prefix} and continue with any subdomain of the domain in {@code suffix}.
     * The suffix begins with a dot.
     */
    private record Below(String prefix, String suffix) {
        boolean matches(String origin) {
            int name = origin.length() - prefix.length() - suffix.length();
            return name > 0
                    && origin.startsWith(prefix)
                    && origin.endsWith(suffix)
                    && isName(origin, prefix.length(), prefix.length() + name);
        }

        private static boolean isName(String text, int from, int to) {
            for (int i = from; i < to; i++) {
                char c = text.charAt(i);
                boolean ofName = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
                if (!ofName) {
                    return false;
                }
            }
            return true;
        }
    }

    OriginCheck(WebSocketConfig config) {
        this.config = config;
        for (String origin : config.origins()) {
            int star = origin.indexOf("*.");
            if (star >= 0) {
                below.add(new Below(origin.substring(0, star), origin.substring(star + 1)));
            }
        }
    }

    /** Returns the reason for rejecting {@code request}; null if {@code request} is allowed. */
    @Nullable
    String refusal(RequestHead request) {
        List<String> given = request.headers().getAll(HttpHeaderNames.ORIGIN);
        if (given.size() > 1) {
            return "the request has more than one Origin header";
        }
        if (given.isEmpty()) {
            return config.requireOrigin() ? "the route requires an Origin header" : null;
        }
        return allows(given.get(0).toLowerCase(Locale.ROOT), request)
                ? null
                : "the route does not allow WebSockets from pages of this origin";
    }

    private boolean allows(String origin, RequestHead request) {
        List<String> origins = config.origins();
        if (origins.isEmpty()) {
            return isOfHost(origin, request.host());
        }
        if (origins.contains("*") || origins.contains(origin)) {
            return true;
        }
        for (Below pattern : below) {
            if (pattern.matches(origin)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfHost(String origin, String host) {
        int end = origin.indexOf("://");
        if (end < 0 || host.isEmpty()) {
            return false;
        }
        String port = origin.startsWith("https:") ? ":443" : ":80";
        return without(port, origin.substring(end + 3)).equals(without(port, host.toLowerCase(Locale.ROOT)));
    }

    private static String without(String defaultPort, String authority) {
        return authority.endsWith(defaultPort)
                ? authority.substring(0, authority.length() - defaultPort.length())
                : authority;
    }
}
