package dev.lychgate.generation;

import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** WebSocket policy of a route: allowed requests, time limits and number of connections. Thread-safe. */
public final class WebSocketPolicy {
    private final WebSocketConfig config;
    private final OriginCheck origins;
    private final AtomicInteger taken = new AtomicInteger();

    WebSocketPolicy(WebSocketConfig config) {
        this.config = config;
        this.origins = new OriginCheck(config);
    }

    /** Takes a place for {@code request}, released by {@link #leave}. @return the reason for a refusal; null if admitted */
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

    /** Releases a place. */
    public void leave() {
        taken.decrementAndGet();
    }

    /** Returns the idle timeout for both directions, in nanoseconds; 0 = no limit. */
    public long idle() {
        return config.idle().toNanos();
    }

    /** Returns the most time from the handshake on, in nanoseconds; 0 = no limit. */
    public long lifetime() {
        return config.lifetime().toNanos();
    }
}
