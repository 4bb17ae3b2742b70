package dev.lychgate.upstream;

import dev.lychgate.http.Cookies;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Binds a client for as long as it has a cookie of the application's, to the endpoint that has set it. The application's
 * cookie passes untouched both ways. Beside it goes a companion that names the endpoint, with the attributes the application
 * gave its own, so that browsers keep, send and drop the two together; no origin sees the companion.
 *
 * <p>A client with the application's cookie whose endpoint is lost or not known goes by a hash of that cookie's value: not
 * to where its session is, but all its requests to the same place.
 */
final class ApplicationCookie implements Persistence {
    /** In front, so that what a prefix such as __Host- demands is not demanded of the companion. */
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

        /** Whoever sets the cookie has the session, whatever its status. */
        @Override
        public void answered(Endpoint by, ResponseHead answer) {
            String mark = marks.of(by);
            if (mark == null) {
                return;
            }
            // One for each: an answer may end one session and begin another, and the last word counts for both cookies.
            for (String field : answer.headers().getAll(HttpHeaderNames.SET_COOKIE)) {
                String attributes = attributes(field);
                if (attributes != null) {
                    answer.headers().add(HttpHeaderNames.SET_COOKIE, companion + "=" + mark + attributes);
                }
            }
        }
    }

    /** What stands behind the value, the first semicolon included; null if it is not the application's cookie that is set. */
    private @Nullable String attributes(String field) {
        int equals = field.indexOf('=');
        if (equals <= 0 || !field.substring(0, equals).strip().equals(name)) {
            return null;
        }
        int semicolon = field.indexOf(';', equals);
        return semicolon < 0 ? "" : field.substring(semicolon);
    }
}
