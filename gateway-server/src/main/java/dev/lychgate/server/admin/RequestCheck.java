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

/** What keeps a request from being answered, whoever sends it. */
final class RequestCheck {
    private final AdminPages pages;
    private final boolean addressesOnly;

    /** @param addressesOnly whether a Host field must be an address (see {@link #isAddress}) */
    RequestCheck(AdminPages pages, boolean addressesOnly) {
        this.pages = pages;
        this.addressesOnly = addressesOnly;
    }

    static boolean isGet(HttpRequest request) {
        return request.method().equals(HttpMethod.GET);
    }

    /** Whether it is one of the methods that read. */
    static boolean reads(HttpRequest request) {
        return isGet(request) || request.method().equals(HttpMethod.HEAD);
    }

    /** Why it is refused before it is known who sends it; null if it is not. */
    @Nullable
    AdminAnswer refusal(HttpRequest request) {
        if (!reads(request) && !request.method().equals(HttpMethod.POST)) {
            return notAllowed(request.uri().replaceFirst("\\?.*", ""));
        }
        if (!request.uri().startsWith("/")) {
            return AdminAnswer.malformed("the request target is not a path");
        }
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        if (hosts.size() > 1 || (hosts.isEmpty() && request.protocolVersion().equals(HttpVersion.HTTP_1_1))) {
            return AdminAnswer.malformed("one Host field is needed");
        }
        if (addressesOnly && !hosts.isEmpty() && !isAddress(hosts.get(0))) {
            return AdminAnswer.problem(
                    HttpResponseStatus.MISDIRECTED_REQUEST,
                    "misdirected-request",
                    "on the loopback, Host must be an address or localhost");
        }
        if (isForeign(request.headers(), reads(request))) {
            return forbidden("a page of another site asks for this");
        }
        return null;
    }

    /** Why it is refused by whoever may ask; null if it is not. @param route null if there is none for its method */
    @Nullable
    AdminAnswer refusal(HttpRequest request, String path, @Nullable AdminRoute route) {
        if (route == null) {
            boolean elsewhere =
                    pages.routes().stream().map(AdminRoute::path).anyMatch(known -> Objects.equals(known, path));
            return elsewhere || !reads(request)
                    ? notAllowed(path)
                    : AdminAnswer.notFound("there is no such page; see /");
        }
        boolean intended = request.headers().contains(AdminRoute.INTENDED) || Gatekeeper.hasToken(request.headers());
        // A page in somebody's browser can post to us, but not with a field of its own making.
        return route.changes() && !intended ? forbidden("a POST needs the header field " + AdminRoute.INTENDED) : null;
    }

    private static AdminAnswer forbidden(String why) {
        return AdminAnswer.problem(HttpResponseStatus.FORBIDDEN, "forbidden", why);
    }

    private AdminAnswer notAllowed(String path) {
        String allowed = pages.allowed(path);
        return AdminAnswer.problem(
                        HttpResponseStatus.METHOD_NOT_ALLOWED,
                        "method-not-allowed",
                        "only " + allowed + " is served here")
                .with(Map.of("allow", allowed));
    }

    /**
     * The defence against DNS rebinding: a page in somebody's browser can let its own name resolve to 127.0.0.1 and then read
     * what listens there, but it can't keep its name out of the Host field. So on the loopback only an address, or localhost,
     * is answered.
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
     * The defence against pages of other sites in an operator's browser: it says on whose behalf it asks. What it says can't be
     * forged by a page, and programs that are no browsers say nothing of the kind.
     *
     * @param reads whether nothing is changed
     * @see <a href="https://www.rfc-editor.org/rfc/rfc6454#section-7">RFC 6454, The Web Origin Concept, 7</a>
     * @see <a href="https://www.w3.org/TR/fetch-metadata/">Fetch Metadata Request Headers</a>
     */
    private static boolean isForeign(HttpHeaders headers, boolean reads) {
        // Somebody follows a link to us from elsewhere; the page that has the link sees nothing of what comes.
        boolean visit = reads
                && "navigate".equals(headers.get("sec-fetch-mode"))
                && "document".equals(headers.get("sec-fetch-dest"));
        if (!visit && !Set.of("same-origin", "none").containsAll(headers.getAll("sec-fetch-site"))) {
            return true;
        }
        List<String> origins = headers.getAll(HttpHeaderNames.ORIGIN);
        return !origins.isEmpty() && (origins.size() > 1 || !isOurs(origins.get(0), headers.get(HttpHeaderNames.HOST)));
    }

    /** Of the same host and port; whether TLS is spoken may have been decided by a proxy in front of us. */
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
