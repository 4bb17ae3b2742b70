package dev.lychgate.upstream;

import dev.lychgate.config.PersistenceConfig;
import dev.lychgate.http.Cookies;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Binds a client to an endpoint with a cookie of the gateway, which origins never receive. The gateway sets the cookie
 * if the request has no such cookie, or if the cookie identifies an endpoint other than the one that responded. If the
 * endpoint of a client is lost, the client is therefore bound to the endpoint that responds next.
 */
final class GatewayCookie implements Persistence {
    private final String name;
    private final EndpointMarks marks;
    private final String attributes;

    GatewayCookie(PersistenceConfig.GatewayCookie config, EndpointMarks marks) {
        this.name = config.cookie();
        this.marks = marks;
        this.attributes = "; Path=/"
                + (config.maxAge().isZero()
                        ? ""
                        : "; Max-Age=" + config.maxAge().toSeconds())
                + "; HttpOnly"
                + (config.secure() ? "; Secure" : "")
                + "; SameSite="
                + config.sameSite().attribute();
    }

    @Override
    public Binding read(RequestHead request, InetAddress client) {
        Endpoint named = marks.first(Cookies.values(request.headers(), name));
        Cookies.remove(request.headers(), name);
        return new Bound(named);
    }

    private final class Bound implements Binding {
        private final @Nullable Endpoint named;

        Bound(@Nullable Endpoint named) {
            this.named = named;
        }

        @Override
        public @Nullable Endpoint preferred(EndpointSet set) {
            return named;
        }

        /**
         * Binds the client to the endpoint that responded, unless the client is already bound to it or the response
         * status is 5xx.
         */
        @Override
        public void answered(Endpoint by, ResponseHead answer) {
            String mark = marks.of(by);
            if (by != named && mark != null && answer.status() < 500) {
                answer.headers().add(HttpHeaderNames.SET_COOKIE, name + "=" + mark + attributes);
            }
        }
    }
}
