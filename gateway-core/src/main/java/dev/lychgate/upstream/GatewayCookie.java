package dev.lychgate.upstream;

import dev.lychgate.config.PersistenceConfig;
import dev.lychgate.http.Cookies;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Binds a client by a cookie of the gateway, which origins never receive. The gateway sets the cookie if the client has
 * sent no cookie, or a cookie that does not name the endpoint that responded. A client of a lost endpoint is thus bound
 * to the next endpoint.
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

        /** Binds the client to the endpoint, unless the response status is 5xx. Existing bindings are kept. */
        @Override
        public void answered(Endpoint by, ResponseHead answer) {
            String mark = marks.of(by);
            if (by != named && mark != null && answer.status() < 500) {
                answer.headers().add(HttpHeaderNames.SET_COOKIE, name + "=" + mark + attributes);
            }
        }
    }
}
