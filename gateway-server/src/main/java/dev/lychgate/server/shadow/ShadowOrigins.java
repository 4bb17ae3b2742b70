package dev.lychgate.server.shadow;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.origin.ConnectionOwner;
import dev.lychgate.origin.Connector;
import dev.lychgate.origin.Destination;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** The origins of a shadow, to which no connection is ever opened. On the thread of the shadow. */
final class ShadowOrigins implements Connector {
    private final Map<Integer, String> names;
    private final Queue<Outcome> waiting = new ArrayDeque<>();
    private @Nullable String wanted;

    /** @param names the upstreams by the ports of their endpoints */
    ShadowOrigins(Map<Integer, String> names) {
        this.names = names;
    }

    @Override
    public void connect(Destination to, long timeout, ConnectionOwner owner, Outcome outcome) {
        waiting.add(outcome);
        if (wanted == null) {
            wanted = names.getOrDefault(to.address().port(), "unknown");
        }
    }

    /** Returns the upstream to which the exchange, or a call-out, wanted a connection; null if none was wanted. */
    @Nullable
    String wanted() {
        return wanted;
    }

    /** Fails the connects of an exchange that has ended, so that pools keep no trace of it. */
    void reset() {
        for (Outcome next = waiting.poll(); next != null; next = waiting.poll()) {
            next.onConnectFailed(GatewayError.local(ErrorKind.DRAINING, "a shadow opens no connections"));
        }
        wanted = null;
    }
}
