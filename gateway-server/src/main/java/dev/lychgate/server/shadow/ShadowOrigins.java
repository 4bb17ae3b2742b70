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

/** Simulates the origins of a shadow without opening connections. Used only on the thread of the shadow. */
final class ShadowOrigins implements Connector {
    private final Map<Integer, String> names;
    private final Queue<Outcome> waiting = new ArrayDeque<>();
    private @Nullable String wanted;

    /** @param names the names of the upstreams, by the ports of their endpoints */
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

    /**
     * Returns the upstream to which the exchange or a call-out requested a connection; null if no connection was
     * requested.
     */
    @Nullable
    String wanted() {
        return wanted;
    }

    /** Fails the pending connection attempts of an exchange that has ended, so that they do not stay in the pools. */
    void reset() {
        for (Outcome next = waiting.poll(); next != null; next = waiting.poll()) {
            next.onConnectFailed(GatewayError.local(ErrorKind.DRAINING, "a shadow opens no connections"));
        }
        wanted = null;
    }
}
