package dev.lychgate.generation;

import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The WebSocket policy of a route. It checks the header Origin of requests, limits the number of open WebSockets, and
 * contains the time limits of WebSockets. Thread-safe.
 */
public final class WebSocketPolicy {
    private final WebSocketConfig config;
    private final OriginCheck origins;
    private final AtomicInteger taken = new AtomicInteger();

    WebSocketPolicy(WebSocketConfig config) {
        this.config = config;
        this.origins = new OriginCheck(config);
    }

    /**
     * Admits a request for a WebSocket and acquires a permit, which {@link #leave} releases.
     *
     * @return the reason for rejecting the request; null if the request is admitted
     */
    public @Nullable GatewayError enter(RequestHead request) {
        String refusal = origins.refusal(request);
        if (refusal != null) {
            return GatewayError.downstream(ErrorKind.ORIGIN_NOT_ALLOWED, refusal);
        }
        if (taken.incrementAndGet() > config.connections()) {
            taken.decrementAndGet();
            return GatewayError.local(ErrorKind.BULKHEAD_FULL, "this route has reached its WebSocket limit");
        }
        return null;
    }

    /** Releases the permit of a WebSocket that has ended. */
    public void leave() {
        taken.decrementAndGet();
    }

    /**
     * Returns the timeout for a WebSocket that transfers no bytes in either direction, in nanoseconds; 0 = no limit.
     */
    public long idle() {
        return config.idle().toNanos();
    }

    /** Returns the maximum time from the handshake to the end of a WebSocket, in nanoseconds; 0 = no limit. */
    public long lifetime() {
        return config.lifetime().toNanos();
    }
}
