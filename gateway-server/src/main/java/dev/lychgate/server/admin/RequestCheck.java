package dev.lychgate.server.admin;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What keeps a request from being answered, whoever sends it. */
final class RequestCheck {
    /** To be sent with every POST, with any value. */
    static final String INTENDED = "x-lychgate-admin";

    private final AdminRoutes routes;
    private final boolean addressesOnly;

    /** @param addressesOnly whether a Host field must be an address (see {@link HostCheck}) */
    RequestCheck(AdminRoutes routes, boolean addressesOnly) {
        this.routes = routes;
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
        if (addressesOnly && !hosts.isEmpty() && !HostCheck.isAddress(hosts.get(0))) {
            return AdminAnswer.problem(
                    HttpResponseStatus.MISDIRECTED_REQUEST,
                    "misdirected-request",
                    "on the loopback, Host must be an address or localhost");
        }
        if (OriginCheck.isForeign(request.headers(), reads(request))) {
            return forbidden("a page of another site asks for this");
        }
        return null;
    }

    /** Why it is refused by whoever may ask; null if it is not. @param route null if there is none for its method */
    @Nullable
    AdminAnswer refusal(HttpRequest request, String path, @Nullable AdminRoute route) {
        if (route == null) {
            boolean elsewhere =
                    routes.all().stream().map(AdminRoute::path).anyMatch(known -> Objects.equals(known, path));
            return elsewhere || !reads(request)
                    ? notAllowed(path)
                    : AdminAnswer.notFound("there is no such page; see /");
        }
        boolean intended = request.headers().contains(INTENDED) || Gatekeeper.hasToken(request.headers());
        // A page in somebody's browser can post to us, but not with a field of its own making.
        return route.changes() && !intended ? forbidden("a POST needs the header field " + INTENDED) : null;
    }

    private static AdminAnswer forbidden(String why) {
        return AdminAnswer.problem(HttpResponseStatus.FORBIDDEN, "forbidden", why);
    }

    private AdminAnswer notAllowed(String path) {
        String allowed = routes.allowed(path);
        return AdminAnswer.problem(
                        HttpResponseStatus.METHOD_NOT_ALLOWED,
                        "method-not-allowed",
                        "only " + allowed + " is served here")
                .with(Map.of("allow", allowed));
    }
}
