package dev.lychgate.exchange;

import dev.lychgate.generation.FaultRule;
import dev.lychgate.loop.Loop;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The exchanges of one event loop that faults delay or slow down. Used on that event loop. */
final class LastingFaults {
    /**
     * Maximum number of delayed requests that one task forwards. Thousands of requests may be released at the same
     * time, so several tasks share the work.
     */
    private static final int AT_ONCE = 32;

    private final Loop loop;
    private final Set<InjectedFaults> all = new HashSet<>();
    /** Exchanges whose delay has ended and whose requests will be forwarded. */
    private final ArrayDeque<InjectedFaults> released = new ArrayDeque<>();

    private boolean forwarding;

    LastingFaults(Loop loop) {
        this.loop = loop;
    }

    void add(InjectedFaults exchange) {
        all.add(exchange);
    }

    void remove(InjectedFaults exchange) {
        all.remove(exchange);
    }

    /** Releases all exchanges from the effects of faults that have ended. */
    void onFaultsEnded() {
        // Each fault is looked up only once, because many exchanges may share a fault.
        Map<FaultRule, Boolean> active = new HashMap<>();
        List.copyOf(all).forEach(exchange -> exchange.onFaultsEnded(active));
    }

    /** Ends the delay of an exchange in a later task. */
    void release(InjectedFaults exchange) {
        released.add(exchange);
        if (!forwarding) {
            forwarding = true;
            loop.eventLoop().execute(this::forwardSome);
        }
    }

    private void forwardSome() {
        for (int i = 0; i < AT_ONCE && !released.isEmpty(); i++) {
            released.remove().onReleased();
        }
        forwarding = !released.isEmpty();
        if (forwarding) {
            loop.later(this::forwardSome);
        }
    }
}
