package dev.lychgate.server.admin;

import dev.lychgate.http.Authority;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.NetUtil;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rejects malformed requests and requests from pages of other sites, even if these requests have valid credentials. */
final class RequestCheck {
    private final AdminPages pages;
    private final boolean addressesOnly;

    /** @param addressesOnly whether a Host header must be an address (see {@link #isAddress}) */
    RequestCheck(AdminPages pages, boolean addressesOnly) {
        this.pages = pages;
        this.addressesOnly = addressesOnly;
    }

    static boolean isGet(HttpRequest request) {
        return request.method().equals(HttpMethod.GET);
    }

    /** Returns whether a request has a method that reads without a change of state. */
    static boolean reads(HttpRequest request) {
        return isGet(request) || request.method().equals(HttpMethod.HEAD);
    }

    /**
     * Checks a request before its authentication.
     *
     * @return the rejection; null if the request passes
     */
    @Nullable
    AdminResponse refusal(HttpRequest request) {
        if (!reads(request) && !request.method().equals(HttpMethod.POST)) {
            return notAllowed(request.uri().replaceFirst("\\?.*", ""));
        }
        if (!request.uri().startsWith("/")) {
            return AdminResponse.malformed("the request target is not a path");
        }
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        if (hosts.size() > 1 || (hosts.isEmpty() && request.protocolVersion().equals(HttpVersion.HTTP_1_1))) {
            return AdminResponse.malformed("exactly one Host field is required");
        }
        if (addressesOnly && !hosts.isEmpty() && !isAddress(hosts.get(0))) {
            return AdminResponse.problem(
                    HttpResponseStatus.MISDIRECTED_REQUEST,
                    "misdirected-request",
                    "on the loopback, Host must be an IP address or localhost");
        }
        if (isForeign(request.headers(), reads(request))) {
            return forbidden("a page of another site sent this request");
        }
        return null;
    }

    /**
     * Checks a request after its authentication.
     *
     * @param route the route of the request; null if no route has this path and method
     * @return the rejection; null if the request passes
     */
    @Nullable
    AdminResponse refusal(HttpRequest request, String path, @Nullable AdminRoute route) {
        if (route == null) {
            boolean elsewhere =
                    pages.routes().stream().map(AdminRoute::path).anyMatch(known -> Objects.equals(known, path));
            return elsewhere || !reads(request) ? notAllowed(path) : AdminResponse.notFound("unknown page; see /");
        }
        boolean intended = request.headers().contains(AdminRoute.INTENDED) || Gatekeeper.hasToken(request.headers());
        // A page of another site in a browser can post to this listener, but it can't set a custom header.
        return route.changes() && !intended ? forbidden("a POST needs the header field " + AdminRoute.INTENDED) : null;
    }

    static AdminResponse forbidden(String why) {
        return AdminResponse.problem(HttpResponseStatus.FORBIDDEN, "forbidden", why);
    }

    private AdminResponse notAllowed(String path) {
        String allowed = pages.allowed(path);
        return AdminResponse.problem(
                        HttpResponseStatus.METHOD_NOT_ALLOWED,
                        "method-not-allowed",
                        "this path supports only " + allowed)
                .with(Map.of("allow", allowed));
    }

    /**
     * Returns whether a Host header contains an address or localhost. This defends against DNS rebinding. In this
     * attack, a site lets its name resolve to 127.0.0.1, so that its pages in a browser can read the responses of a
     * local server. The Host header in requests of these pages still contains the name of the site.
     *
     * @param host {@code name[:port]}
     */
    static boolean isAddress(String host) {
        if (!Authority.isValid(host)) {
            return false;
        }
        String name = host.replaceFirst(":[0-9]*$", "");
        return name.equalsIgnoreCase("localhost")
                || NetUtil.isValidIpV4Address(name)
                || (host.startsWith("[") && NetUtil.isValidIpV6Address(name));
    }

    /**
     * Returns whether a page of another site, in an operator's browser, sent a request. The browser names the sending
     * site in headers that a page cannot forge. Programs other than browsers do not send these headers.
     *
     * @param reads whether the request has a method that only reads
     * @see <a href="https://www.rfc-editor.org/rfc/rfc6454#section-7">RFC 6454, The Web Origin Concept, 7</a>
     * @see <a href="https://www.w3.org/TR/fetch-metadata/">Fetch Metadata Request Headers</a>
     */
    private static boolean isForeign(HttpHeaders headers, boolean reads) {
        // The user follows a link from another site. This is permitted, because the page with the link cannot read the
        // response.
        boolean visit = reads
                && "navigate".equals(headers.get("sec-fetch-mode"))
                && "document".equals(headers.get("sec-fetch-dest"));
        if (!visit && !Set.of("same-origin", "none").containsAll(headers.getAll("sec-fetch-site"))) {
            return true;
        }
        List<String> origins = headers.getAll(HttpHeaderNames.ORIGIN);
        return !origins.isEmpty() && (origins.size() > 1 || !isOurs(origins.get(0), headers.get(HttpHeaderNames.HOST)));
    }

    /**
     * Returns whether an origin has the host and the port of {@code host}. The schemes may differ, because a proxy in
     * front of the listener may terminate TLS.
     */
    private static boolean isOurs(String origin, @Nullable String host) {
        int scheme = origin.indexOf("://");
        return host != null
                && scheme > 0
                && authority(origin.substring(scheme + 3)).equals(authority(host));
    }

    private static String authority(String written) {
        return written.toLowerCase(Locale.ROOT).replaceFirst(":(80|443)$", "");
    }
}
