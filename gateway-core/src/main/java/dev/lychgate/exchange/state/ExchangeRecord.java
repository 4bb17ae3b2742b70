package dev.lychgate.exchange.state;

import dev.lychgate.config.OnFailure;
import dev.lychgate.error.GatewayError;
import dev.lychgate.route.Route;
import dev.lychgate.upstream.Endpoint;
import org.jspecify.annotations.Nullable;

/** The facts that an exchange records for its observer. Read on the exchange's event loop. */
public interface ExchangeRecord {
    /** Returns the request id. */
    String requestId();

    /** Returns the route that matched; null if none did. */
    @Nullable
    Route route();

    /** Returns the endpoint of the last attempt; null if there was none. */
    @Nullable
    Endpoint endpoint();

    /** Returns how many attempts began. */
    int attempts();

    /** Returns the status that the client received, or would have received if it had waited. */
    int status();

    /** Returns the received bytes of the request body, without framing; of a tunnel, all bytes from the client. */
    long requestBytes();

    /** Returns the written bytes of the response body, without framing; of a tunnel, all bytes to the client. */
    long responseBytes();

    /** Returns whether the route's upstream failed and its fallback responded or was asked. */
    default boolean fellBack() {
        return remedy() != null && remedy() != OnFailure.Remedy.FAIL_FAST;
    }

    /** Returns the error that the fallback replaced; null if there was none, or if it replaced the status of a response. */
    default @Nullable GatewayError fallbackFor() {
        return fellBack() ? remedyFor() : null;
    }

    /** Returns what was done when the route's upstream failed; null if it did not fail, or failed after the commit. */
    OnFailure.@Nullable Remedy remedy();

    /** Returns the error that {@link #remedy} was for; null if there was none, or if it was for the status of a response. */
    @Nullable
    GatewayError remedyFor();

    /** Returns why the tunnel ended; null if the exchange was no tunnel, or still is one. */
    @Nullable
    TunnelEnd tunnelEnd();

    /** Returns the priority of a request that was shed because of overload; -1 if it was not shed. */
    int shed();

    /** Returns the error that the exchange ended with; null if there was none. */
    @Nullable
    GatewayError error();
}
