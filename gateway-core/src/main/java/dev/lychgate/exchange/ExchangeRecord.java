package dev.lychgate.exchange;

import dev.lychgate.config.OnFailure;
import dev.lychgate.error.GatewayError;
import dev.lychgate.route.Route;
import dev.lychgate.upstream.Endpoint;
import org.jspecify.annotations.Nullable;

/** What an exchange notes down of itself on its way, for its observer. Written by the exchange alone. */
public final class ExchangeRecord {
    String requestId = "";

    @Nullable
    Route route;

    @Nullable
    Endpoint endpoint;

    int attempts;
    int status;
    long requestBytes;
    long responseBytes;

    @Nullable
    GatewayError error;

    OnFailure.@Nullable Remedy remedy;

    int shed = -1;

    @Nullable
    TunnelEnd tunnelEnd;

    @Nullable
    GatewayError failure;

    ExchangeRecord() {}

    public String requestId() {
        return requestId;
    }

    /** The route that matched; null if none did. */
    public @Nullable Route route() {
        return route;
    }

    /** The endpoint of the last attempt; null if there was none. */
    public @Nullable Endpoint endpoint() {
        return endpoint;
    }

    /** How often the request was sent or meant to be sent. */
    public int attempts() {
        return attempts;
    }

    /** The status the client got, or would have got if it had waited. */
    public int status() {
        return status;
    }

    /** Bytes of the request body that came, without framing; of a tunnel, all that the client sent. */
    public long requestBytes() {
        return requestBytes;
    }

    /** Bytes of the response body that were written, without framing; of a tunnel, all that the client was sent. */
    public long responseBytes() {
        return responseBytes;
    }

    /** Whether the route's upstream has failed, and its fallback answered or was asked. */
    public boolean fellBack() {
        return remedy != null && remedy != OnFailure.Remedy.FAIL_FAST;
    }

    /** What the fallback was for; null if there was none, or it was for the status of an answer. */
    public @Nullable GatewayError fallbackFor() {
        return fellBack() ? failure : null;
    }

    /** What was done when the route's upstream had failed; null if it had not, or part of an answer had gone by then. */
    public OnFailure.@Nullable Remedy remedy() {
        return remedy;
    }

    /** What {@link #remedy} was for; null if there was none, or it was for the status of an answer. */
    public @Nullable GatewayError remedyFor() {
        return failure;
    }

    /** Why it ended, if it had become a tunnel; null if it had not, or is still one. */
    public @Nullable TunnelEnd tunnelEnd() {
        return tunnelEnd;
    }

    /** The priority with which it was refused since the gateway had too much to do; -1 if it was not. */
    public int shed() {
        return shed;
    }

    /** What went wrong; null if nothing did. */
    public @Nullable GatewayError error() {
        return error;
    }
}
