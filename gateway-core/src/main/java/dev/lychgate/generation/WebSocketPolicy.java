package dev.lychgate.generation;

import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Which WebSockets a route takes, for how long, and how many it has. Any thread may ask. */
public final class WebSocketPolicy {
    private final WebSocketConfig config;
    private final OriginCheck origins;
    private final AtomicInteger taken = new AtomicInteger();

    WebSocketPolicy(WebSocketConfig config) {
        this.config = config;
        this.origins = new OriginCheck(config);
    }

    /** Takes a place for {@code request}, to be {@linkplain #leave left}. @return why there is none; null if there is */
    public @Nullable GatewayError enter(RequestHead request) {
        String refusal = origins.refusal(request);
        if (refusal != null) {
            return GatewayError.downstream(ErrorKind.ORIGIN_NOT_ALLOWED, refusal);
        }
        if (taken.incrementAndGet() > config.connections()) {
            taken.decrementAndGet();
            return GatewayError.local(ErrorKind.BULKHEAD_FULL, "this route has as many WebSockets as it may");
        }
        return null;
    }

    /** Gives a place back. */
    public void leave() {
        taken.decrementAndGet();
    }

    /** Longest time without a byte in either direction, in nanoseconds; 0 = no limit. */
    public long idle() {
        return config.idle().toNanos();
    }

    /** Longest time from the handshake on, in nanoseconds; 0 = no limit. */
    public long lifetime() {
        return config.lifetime().toNanos();
    }
}
