package dev.lychgate.upstream;

import dev.lychgate.config.PersistenceConfig;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Binds clients to endpoints of one upstream. The gateway stores nothing about clients, because each request contains
 * its binding. Therefore, bindings survive reloads and restarts, and are valid at every gateway that has the same
 * secret. Immutable and thread-safe.
 */
public interface Persistence {
    /** The binding of one exchange. Used only on the event loop of the exchange. */
    interface Binding {
        /**
         * Returns the endpoint to which the client is bound; null if there is none.
         *
         * @param set the usable endpoints
         */
        @Nullable
        Endpoint preferred(EndpointSet set);

        /** Binds the client to the endpoint that sent the response. */
        default void answered(Endpoint by, ResponseHead answer) {}
    }

    /**
     * Reads the binding of a request, and removes the cookies of the gateway from the request.
     *
     * @param client the address of the connection's peer
     */
    Binding read(RequestHead request, InetAddress client);

    /** Creates the persistence for {@code config}; null if persistence is off. */
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
     * Binds a client by its address, whatever the balancing algorithm is. Clients of a draining endpoint move to
     * another endpoint. If they stayed, the drain would never end, because the gateway can't distinguish the clients of
     * the endpoint from new clients.
     */
    private static Binding byAddress(RequestHead request, InetAddress client) {
        long hash = Hash.ofClient(client);
        return set -> Rendezvous.of(set, hash);
    }
}
