package dev.lychgate.exchange;

import dev.lychgate.config.RouteAction;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.route.RedirectLocation;
import dev.lychgate.route.Route;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Creates responses that need no origin: redirects and fixed responses. */
final class LocalResponses {
    private LocalResponses() {}

    /** A complete response. The receiver owns the body. */
    record LocalResponse(ResponseHead head, ByteBuf body) {}

    /** Creates the fixed response that the route action {@code respond} defines. */
    static LocalResponse of(RouteAction.Respond respond) {
        String text = respond.body();
        byte[] body = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        return new LocalResponse(head(respond), Unpooled.wrappedBuffer(body));
    }

    private static ResponseHead head(RouteAction.Respond respond) {
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        respond.headers().forEach(headers::add);
        return new ResponseHead(respond.status(), headers);
    }

    /** Creates a permanent redirect that preserves method and body. Returns null if the request has no usable host. */
    static @Nullable LocalResponse permanently(RedirectLocation to, RequestHead request) {
        return redirect(308, to.expand(request.host(), request.path(), request.query()));
    }

    private static @Nullable LocalResponse redirect(int status, @Nullable String location) {
        if (location == null) {
            return null;
        }
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        headers.add(HttpHeaderNames.LOCATION, location);
        return new LocalResponse(new ResponseHead(status, headers), Unpooled.EMPTY_BUFFER);
    }

    /**
     * Creates the response of {@code route}. Returns null if the response is a redirect and the request has no usable
     * host.
     */
    static @Nullable LocalResponse of(Route route, RequestHead request) {
        RouteAction action = route.action();
        if (action instanceof RouteAction.Respond respond) {
            return new LocalResponse(head(respond), Unpooled.wrappedBuffer(route.body()));
        }
        if (action instanceof RouteAction.Redirect redirect) {
            return redirect(redirect.status(), route.location(request));
        }
        throw new IllegalArgumentException("route " + route.id() + " has no local response");
    }
}
