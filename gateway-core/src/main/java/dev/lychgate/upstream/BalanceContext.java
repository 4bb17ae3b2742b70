package dev.lychgate.upstream;

import dev.lychgate.http.RequestHead;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Facts about the exchange that a balancer may use. Used only on the exchange's event loop. */
public interface BalanceContext {
    /** Returns the head of the request as the gateway will send it to the origin. */
    RequestHead head();

    /**
     * Returns the address of the connection's peer. If the client connects through another proxy, the result is the
     * address of the proxy.
     */
    InetAddress clientAddress();

    /** Returns whether this exchange has not tried any endpoint yet. */
    boolean isFirst();

    /**
     * Returns whether this exchange has already tried {@code endpoint}. The balancer prefers endpoints that the
     * exchange has not tried.
     */
    boolean tried(Endpoint endpoint);

    /**
     * Returns the endpoint to which the client is bound; null if there is none. The default implementation returns
     * null. The balancer selects this endpoint if it is {@linkplain EndpointSet#admits admitted} and this exchange has
     * not tried it yet.
     *
     * @param set the selectable endpoints
     */
    default @Nullable Endpoint preferred(EndpointSet set) {
        return null;
    }
}
