package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.exchange.state.Phase;
import org.jspecify.annotations.Nullable;

/**
 * Detects clients that have stopped reading the response or sending the request while another request waits for the
 * origin connection that their exchange occupies.
 */
final class StalledClient {
    private StalledClient() {}

    /**
     * Returns the failure of an exchange with a stalled client; null if the client has not stalled.
     *
     * @param unread the time, in nanoseconds, for which the client has read no bytes although bytes are waiting to be
     *     sent
     * @param patience the time without progress after which a client counts as stalled, in nanoseconds
     */
    static @Nullable GatewayError failure(ExchangeState state, long unread, long patience) {
        if (state.phase() == Phase.RELAYING && unread >= patience) {
            return GatewayError.downstream(
                    ErrorKind.CLIENT_STALLED,
                    "the client stopped reading while other requests waited for the origin connection");
        }
        if (state.phase() == Phase.FORWARDING
                && state.request() == Half.BODY
                && state.downstream().bodySilence() >= patience) {
            state.abortRequest();
            return GatewayError.downstream(
                    ErrorKind.REQUEST_TIMEOUT,
                    "the client stopped sending while other requests waited for the origin connection");
        }
        return null;
    }
}
