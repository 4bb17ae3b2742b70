package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.WebSocketPolicy;
import dev.lychgate.loop.Loop;
import dev.lychgate.resilience.Admission;
import dev.lychgate.resilience.Ending;
import dev.lychgate.resilience.Guards;
import org.jspecify.annotations.Nullable;

/** The places that one request holds on its route: among the requests under way, and among the WebSockets. */
final class RoutePlaces {
    private final Loop loop;
    private @Nullable Admission underWay;
    private @Nullable WebSocketPolicy webSocket;

    RoutePlaces(Loop loop) {
        this.loop = loop;
    }

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
    Admission enter(Guards guards) {
        if (guards == Guards.NONE) {
            return null;
        }
        Admission admission = new Admission(null);
        if (!admission.enter(guards, loop.nanoTime())) {
            return admission;
        }
        underWay = admission;
        return null;
    }

    /** The request becomes a tunnel and is no longer under way. @return the policy of the WebSocket; null if none was requested */
    @Nullable
    WebSocketPolicy becomeTunnel() {
        leave();
        return webSocket;
    }

    private void leave() {
        Admission admission = underWay;
        if (admission != null) {
            underWay = null;
            admission.leave(Ending.IGNORED, loop.nanoTime());
        }
    }

    /** The exchange is over. */
    void close() {
        WebSocketPolicy policy = webSocket;
        if (policy != null) {
            webSocket = null;
            policy.leave();
        }
        leave();
    }
}
