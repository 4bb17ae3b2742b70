package dev.lychgate.upstream;

import dev.lychgate.config.PersistenceConfig;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Binds clients to endpoints of one upstream. Keeps nothing about clients: what binds them they bring along, so it holds
 * over reloads and restarts, and for every gateway with the same secret. Immutable; any thread.
 */
public interface Persistence {
    /** What binds one exchange. Used on its event loop only. */
    interface Binding {
        /** The endpoint to go to if it may be used; null if there is none. @param set what may be used */
        @Nullable
        Endpoint preferred(EndpointSet set);

        /** An endpoint has answered, and this is the answer the client will get: binds the client to it. */
        default void answered(Endpoint by, ResponseHead answer) {}
    }

    /** What a request says; takes off it what is the gateway's alone. @param client the other end of the connection */
    Binding read(RequestHead request, InetAddress client);

    /** What {@code config} asks for; null if nobody is bound, so that nobody need be asked. */
    static @Nullable Persistence of(PersistenceConfig config, String upstream, List<Endpoint> endpoints) {
        if (config instanceof PersistenceConfig.GatewayCookie cookie) {
            return new GatewayCookie(cookie, EndpointMarks.of(cookie.secret(), upstream, endpoints));
        }
        if (config instanceof PersistenceConfig.ApplicationCookie cookie) {
            EndpointMarks marks = EndpointMarks.of(cookie.secret(), upstream, endpoints);
            return new ApplicationCookie(cookie.applicationCookie(), marks);
        }
        return config instanceof PersistenceConfig.ClientIp ? Persistence::byAddress : null;
    }

    /**
     * Binds a client by its address, whatever the algorithm. Nothing distinguishes an old client from a new one: one whose
     * endpoint is drained moves, as the drain would never end otherwise.
     */
    private static Binding byAddress(RequestHead request, InetAddress client) {
        long hash = RequestHash.ofAddress(client);
        return set -> Rendezvous.of(set, hash);
    }
}
