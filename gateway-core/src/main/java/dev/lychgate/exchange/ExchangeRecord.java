package dev.lychgate.exchange;

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

    boolean fallback;

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

    /** Bytes of the request body that came, without framing. */
    public long requestBytes() {
        return requestBytes;
    }

    /** Bytes of the response body that were written, without framing. */
    public long responseBytes() {
        return responseBytes;
    }

    /** Whether the route's upstream has failed, and its fallback answered or was asked. */
    public boolean fellBack() {
        return fallback;
    }

    /** What the fallback was for; null if there was none, or it was for the status of an answer. */
    public @Nullable GatewayError fallbackFor() {
        return fallback ? failure : null;
    }

    /** What went wrong; null if nothing did. */
    public @Nullable GatewayError error() {
        return error;
    }
}
