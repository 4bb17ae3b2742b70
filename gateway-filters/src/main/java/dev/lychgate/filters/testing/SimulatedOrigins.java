package dev.lychgate.filters.testing;

import dev.lychgate.error.GatewayError;
import org.jspecify.annotations.Nullable;

/**
 * The behavior of all origins of an {@link OfflineExchange}, for the requests and call-outs of the exchange. Called on
 * the thread of the exchange.
 */
public interface SimulatedOrigins {
    /** Returns the error of a connection to {@code upstream}; null if the connection succeeds. */
    @Nullable
    GatewayError refusal(String upstream);

    /**
     * Returns the response to a request.
     *
     * @param upstream the name of the upstream, or the origin of a URL
     * @return null if the origin never responds
     */
    @Nullable
    OriginResponse answer(String upstream, SentRequest request);
}
