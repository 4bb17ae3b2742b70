package dev.lychgate.exchange.attempt;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.WebSocketPolicy;
import dev.lychgate.resilience.Admission;
import dev.lychgate.resilience.Ending;
import dev.lychgate.resilience.Guards;
import org.jspecify.annotations.Nullable;

/** The places that one request holds on its route: among the requests under way, and among the WebSockets. */
final class RoutePlaces {
    private @Nullable Admission underWay;
    private @Nullable WebSocketPolicy webSocket;

    /** Takes a place among the WebSockets. @param policy null if the route serves none @return the refusal; null if there is none */
    @Nullable
    GatewayError enterTunnels(@Nullable WebSocketPolicy policy, ExchangeState state) {
        if (policy == null) {
            return GatewayError.downstream(ErrorKind.WEBSOCKET_NOT_SERVED, "this route takes no WebSockets");
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

    /** Takes a place among the requests under way. @return the refusal; null if there is none */
    @Nullable
    Admission enter(Guards guards, long now) {
        if (guards == Guards.NONE) {
            return null;
        }
        Admission admission = new Admission(null);
        if (!admission.enter(guards, now)) {
            return admission;
        }
        underWay = admission;
        return null;
    }

    /** Returns the policy of the WebSocket that is requested or open; null if there is none. */
    @Nullable
    WebSocketPolicy webSocket() {
        return webSocket;
    }

    /** The request is no longer under way: it is over, or has become a tunnel. May be repeated. */
    void leave(long now) {
        Admission admission = underWay;
        if (admission != null) {
            admission.leave(Ending.IGNORED, now);
        }
    }

    /** The exchange is over. */
    void close(long now) {
        WebSocketPolicy policy = webSocket;
        if (policy != null) {
            webSocket = null;
            policy.leave();
        }
        leave(now);
    }
}
