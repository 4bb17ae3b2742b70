package dev.lychgate.upstream;

import dev.lychgate.http.Cookies;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Binds a client to the endpoint that has set a cookie of the application. The application's cookie passes unchanged in
 * both directions. The gateway adds a second cookie, the companion, which identifies the endpoint. The companion has
 * the attributes of the application's cookie, so that browsers keep, send and drop the two cookies together. Origins
 * never receive the companion.
 *
 * <p>If the endpoint of a client is no longer usable or is unknown, a hash of the application cookie's value selects
 * another endpoint. This endpoint does not have the client's session, but it gets all later requests of the client.
 */
final class ApplicationCookie implements Persistence {
    /**
     * Prefix of the companion's name; the name of the application's cookie follows. With this prefix, the companion's
     * name never begins with a prefix for which browsers have special rules, such as __Host-.
     */
    private static final String PREFIX = "lychgate-";

    private final String name;
    private final String companion;
    private final EndpointMarks marks;

    ApplicationCookie(String name, EndpointMarks marks) {
        this.name = name;
        this.companion = PREFIX + name;
        this.marks = marks;
    }

    @Override
    public Binding read(RequestHead request, InetAddress client) {
        List<String> sessions = Cookies.values(request.headers(), name);
        Endpoint named = marks.first(Cookies.values(request.headers(), companion));
        Cookies.remove(request.headers(), companion);
        return sessions.isEmpty() ? new Bound(null, null) : new Bound(sessions.get(0), named);
    }

    private final class Bound implements Binding {
        private final @Nullable String session;
        private final @Nullable Endpoint named;

        Bound(@Nullable String session, @Nullable Endpoint named) {
            this.session = session;
            this.named = named;
        }

        @Override
        public @Nullable Endpoint preferred(EndpointSet set) {
            if (session == null || (named != null && set.admits(named))) {
                return named;
            }
            return Rendezvous.of(set, Hash.of(session));
        }

        /** Binds the client to the endpoint that sets the cookie, whatever the response status is. */
        @Override
        public void answered(Endpoint by, ResponseHead answer) {
            String mark = marks.of(by);
            if (mark == null) {
                return;
            }
            // Each cookie gets a companion, because a response may end one session and begin another. The last cookie
            // determines the binding.
            for (String field : answer.headers().getAll(HttpHeaderNames.SET_COOKIE)) {
                String attributes = attributes(field);
                if (attributes != null) {
                    answer.headers().add(HttpHeaderNames.SET_COOKIE, companion + "=" + mark + attributes);
                }
            }
        }
    }

    /**
     * Returns the attributes of the cookie that {@code field} sets, including the first semicolon; null if
     * {@code field} does not set the application's cookie.
     */
    private @Nullable String attributes(String field) {
        int equals = field.indexOf('=');
        if (equals <= 0 || !field.substring(0, equals).strip().equals(name)) {
            return null;
        }
        int semicolon = field.indexOf(';', equals);
        return semicolon < 0 ? "" : field.substring(semicolon);
    }
}
