package dev.lychgate.upstream;

import dev.lychgate.http.RequestHead;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Facts about the exchange that a balancer may use. Used only on the exchange's event loop. */
public interface BalanceContext {
    /** Returns the request in the form in which it will be sent. */
    RequestHead head();

    /**
     * Returns the address of the connection's peer. If the client connects through another proxy, the result is the
     * address of the proxy.
     */
    InetAddress clientAddress();

    /** Returns whether this exchange has not tried any endpoint yet. */
    boolean isFirst();

    /** Returns whether this exchange has already tried {@code endpoint}. Untried endpoints are preferred. */
    boolean tried(Endpoint endpoint);

    /**
     * Returns the endpoint to which the client is bound; null, the default, if there is none. The endpoint is selected
     * if it is {@linkplain EndpointSet#admits admitted} and was not yet tried.
     *
     * @param set the selectable endpoints
     */
    default @Nullable Endpoint preferred(EndpointSet set) {
        return null;
    }
}
