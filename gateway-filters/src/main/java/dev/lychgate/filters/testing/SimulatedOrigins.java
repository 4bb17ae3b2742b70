package dev.lychgate.filters.testing;

import dev.lychgate.error.GatewayError;
import org.jspecify.annotations.Nullable;

/**
 * Determines the behavior of all origins in an {@link OfflineExchange}, for requests of the exchange and for call-outs.
 * Called on the thread of the exchange.
 */
public interface SimulatedOrigins {
    /** Returns the error with which a connection to {@code upstream} fails; null if the connection succeeds. */
    @Nullable
    GatewayError refusal(String upstream);

    /**
     * Returns the response of an origin to a request.
     *
     * @param upstream the name of the upstream; for a call-out to a URL, the scheme and authority of the URL
     * @return the response; null if the origin never responds
     */
    @Nullable
    OriginResponse answer(String upstream, SentRequest request);
}
