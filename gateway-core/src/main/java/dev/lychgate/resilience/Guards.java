package dev.lychgate.resilience;

import java.util.List;

/**
 * The guards of an attempt on one event loop, or the single guard of an exchange, which is the bulkhead of its route.
 * The order of guards is fixed. Guards that are cheap, or that refuse attempts for a long time, come first.
 *
 * <ol>
 *   <li>the route's bulkhead, which the exchange enters before its first attempt: if the route has reached its limit,
 *   its requests are refused before they use shared capacity;
 *   <li>the circuit breaker: an open circuit makes the checks of the guards below unnecessary;
 *   <li>the upstream's bulkhead: a fixed limit, which also applies while the adaptive limit is higher;
 *   <li>the adaptive limit: the last guard, so that it measures the latency of the origin alone.
 * </ol>
 *
 * <p>Guards that are not configured are absent. Without any guard, the object is {@link #NONE}, which costs one
 * comparison.
 */
public final class Guards {
    public static final Guards NONE = new Guards();

    private final Guard[] inOrder;

    private Guards(Guard... inOrder) {
        this.inOrder = inOrder;
    }

    /** Combines {@code inOrder} into one object. An attempt acquires the permits of the guards in this order. */
    public static Guards of(List<Guard> inOrder) {
        return inOrder.isEmpty() ? NONE : new Guards(inOrder.toArray(new Guard[0]));
    }

    int size() {
        return inOrder.length;
    }

    Guard get(int i) {
        return inOrder[i];
    }
}
