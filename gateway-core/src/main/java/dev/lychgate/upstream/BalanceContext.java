package dev.lychgate.upstream;

import dev.lychgate.http.RequestHead;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** What a balancer may know of the exchange that an endpoint is chosen for. Used on the exchange's event loop. */
public interface BalanceContext {
    /** The request as it is about to be sent. */
    RequestHead head();

    /** The other end of the client's connection: of a client behind another proxy, that proxy. */
    InetAddress clientAddress();

    /** Whether this exchange has tried no endpoint yet. */
    boolean isFirst();

    /** Whether this exchange has tried {@code endpoint}: another one goes first. */
    boolean tried(Endpoint endpoint);

    /**
     * The endpoint that this client is bound to: chosen as long as it is {@linkplain EndpointSet#admits admitted} and has
     * not been tried; null if there is none, as nobody is bound by default.
     *
     * @param set what may be chosen
     */
    default @Nullable Endpoint preferred(EndpointSet set) {
        return null;
    }
}
