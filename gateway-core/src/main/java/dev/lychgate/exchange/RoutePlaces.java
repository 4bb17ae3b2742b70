package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.WebSocketPolicy;
import dev.lychgate.loop.Loop;
import dev.lychgate.resilience.Admission;
import dev.lychgate.resilience.Ending;
import dev.lychgate.resilience.Guards;
import dev.lychgate.resilience.LimitShare;
import org.jspecify.annotations.Nullable;

/**
 * The permits that one request has acquired from its route: a permit for a concurrent request, a permit for a
 * WebSocket, or both.
 */
final class RoutePlaces {
    private final Loop loop;
    private @Nullable Admission underWay;
    private @Nullable WebSocketPolicy webSocket;

    RoutePlaces(Loop loop) {
        this.loop = loop;
    }

    /**
     * Acquires a WebSocket permit.
     *
     * @param policy the policy of the route; null if the route does not accept WebSockets
     * @return the error if the permit is refused; null if the permit is granted
     */
    @Nullable
    GatewayError enterTunnels(@Nullable WebSocketPolicy policy, ExchangeState state) {
        if (policy == null) {
            return GatewayError.downstream(ErrorKind.WEBSOCKET_NOT_SERVED, "the route does not accept WebSockets");
        }
        if (state.downstream().isDraining()) {
            return GatewayError.local(ErrorKind.DRAINING, "the gateway is shutting down");
        }
        GatewayError refusal = policy.enter(state.requireRequestHead());
        if (refusal == null) {
            webSocket = policy;
        }
        return refusal;
    }

    /**
     * Acquires a permit for a concurrent request.
     *
     * @param share the part of the limit that this request may use; the rest is reserved for requests with a higher
     *     priority
     * @return the reason if the permit is refused; null if the permit is granted
     */
    @Nullable
    Admission enter(Guards guards, LimitShare share) {
        if (guards == Guards.NONE) {
            return null;
        }
        Admission admission = new Admission(null);
        if (!admission.enter(guards, share, loop.turnTime())) {
            return admission;
        }
        underWay = admission;
        return null;
    }

    /**
     * Releases the permit for a concurrent request, because the request becomes a tunnel.
     *
     * @return the policy of the WebSocket permit; null if the request has no WebSocket permit
     */
    @Nullable
    WebSocketPolicy becomeTunnel() {
        leave();
        return webSocket;
    }

    private void leave() {
        Admission admission = underWay;
        if (admission != null) {
            underWay = null;
            admission.leave(Ending.IGNORED, loop.turnTime());
        }
    }

    /** Releases all permits at the end of the exchange. */
    void close() {
        WebSocketPolicy policy = webSocket;
        if (policy != null) {
            webSocket = null;
            policy.leave();
        }
        leave();
    }
}
