package dev.lychgate.upstream;

import dev.lychgate.http.RequestHead;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Facts about the exchange that a balancer may use. For the exchange's event loop. */
public interface BalanceContext {
    /** Returns the request in the form about to be sent. */
    RequestHead head();

    /** Returns the address of the connection's peer: for a client behind another proxy, that proxy. */
    InetAddress clientAddress();

    /** Returns whether this exchange has not tried any endpoint yet. */
    boolean isFirst();

    /** Returns whether this exchange has tried {@code endpoint}; others are preferred. */
    boolean tried(Endpoint endpoint);

    /**
     * Returns the endpoint that this client is bound to: selected as long as it is {@linkplain EndpointSet#admits admitted}
     * and was not tried; null if there is none, the default.
     *
     * @param set the selectable endpoints
     */
    default @Nullable Endpoint preferred(EndpointSet set) {
        return null;
    }
}
