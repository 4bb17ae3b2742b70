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

/** The permits of one request on its route: for concurrent requests and for WebSockets. */
final class RoutePlaces {
    private final Loop loop;
    private @Nullable Admission underWay;
    private @Nullable WebSocketPolicy webSocket;

    RoutePlaces(Loop loop) {
        this.loop = loop;
    }

    /** Acquires a WebSocket permit. @param policy null if the route serves no WebSockets @return the refusal or null */
    @Nullable
    GatewayError enterTunnels(@Nullable WebSocketPolicy policy, ExchangeState state) {
        if (policy == null) {
            return GatewayError.downstream(ErrorKind.WEBSOCKET_NOT_SERVED, "this route does not accept WebSockets");
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

    /** Acquires a permit for a concurrent request. @return the refusal; null if the permit is granted */
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

    /** Releases the request's permit when it becomes a tunnel. @return the WebSocket policy; null if none was requested */
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

    /** Releases all permits with the end of the exchange. */
    void close() {
        WebSocketPolicy policy = webSocket;
        if (policy != null) {
            webSocket = null;
            policy.leave();
        }
        leave();
    }
}
