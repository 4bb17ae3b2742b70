package dev.lychgate.upstream;

import dev.lychgate.http.RequestHead;
import org.jspecify.annotations.Nullable;

/**
 * Chooses an endpoint for a request. Each event loop has its own, so nothing here is shared or locked; what it counts,
 * it counts for its loop.
 */
public interface LoadBalancer {
    /**
     * The endpoint to try.
     *
     * @param head the request
     * @param failed an endpoint that this exchange has already tried, to be avoided if there is another; null at first
     * @return null if there is none that may be used
     */
    @Nullable
    Endpoint choose(RequestHead head, @Nullable Endpoint failed);
}
