package dev.lychgate.exchange;

import dev.lychgate.client.ClientPermit;
import dev.lychgate.client.ClientProtection;
import dev.lychgate.client.ClientProtections;
import dev.lychgate.client.ClientRefusal;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;

/** The first step of a request: protects the gateway against individual clients with bans, address lists and limits. */
final class ClientAdmission {
    private ClientAdmission() {}

    /** Applies the bans, address lists and limits of the client. Returns false if the request is refused. */
    static boolean admits(ExchangeParts exchange) {
        ExchangeState state = exchange.state;
        ClientProtections protections = state.generation().clients();
        if (protections.isIdle() || state.isOfProxyItself()) {
            return true;
        }
        ClientPermit permit = protections.of(state.listener()).request(state.clientAddress());
        ClientRefusal refusal = permit.refusal();
        if (refusal == null) {
            exchange.permit = permit;
            return true;
        }
        if (refusal == ClientRefusal.REQUESTS) {
            exchange.fail(
                    GatewayError.downstream(ErrorKind.CLIENT_LIMITED, "the client has too many concurrent requests"));
        } else {
            closeAfterResponse(state);
            exchange.fail(GatewayError.downstream(
                    ErrorKind.CLIENT_REFUSED, "the gateway does not accept requests from this client"));
        }
        return false;
    }

    /**
     * Closes the connection of a refused client after the response, unless the connection belongs to a proxy with
     * several clients.
     */
    private static void closeAfterResponse(ExchangeState state) {
        if (!state.downstream().forwarding().isTrusted()) {
            state.downstream().closeAfterResponse();
        }
    }

    /** Arranges that the ban rule counts the response to a request that is rejected before its first step. */
    static void watchRejected(ExchangeParts exchange) {
        ExchangeState state = exchange.state;
        ClientProtections protections = state.generation().clients();
        if (protections.isIdle() || state.isOfProxyItself()) {
            return;
        }
        ClientProtection protection = protections.of(state.listener());
        exchange.permit = protection.rejected(state.clientAddress());
        if (protection.refusal(state.clientAddress()) != null) {
            closeAfterResponse(state);
        }
    }
}
