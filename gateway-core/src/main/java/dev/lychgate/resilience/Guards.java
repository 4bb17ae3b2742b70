package dev.lychgate.resilience;

import java.util.List;

/**
 * The guards of an attempt on one event loop, or the single guard of an exchange: the bulkhead of its route. The order
 * is fixed: guards that are cheap, or that refuse attempts for a long time, come first.
 *
 * <ol>
 *   <li>the route's bulkhead, which the exchange enters before its first attempt: requests of a route at its limit are
 *     refused before they use shared capacity;
 *   <li>the circuit breaker: an open circuit makes further checks unnecessary;
 *   <li>the upstream's bulkhead: a fixed limit, which the adaptive limit thus cannot exceed;
 *   <li>the adaptive limit: innermost, so that it measures only the latency of the origin.
 * </ol>
 *
 * <p>Guards that are not configured are absent. An empty list is {@link #NONE}, which costs one comparison.
 */
public final class Guards {
    public static final Guards NONE = new Guards();

    private final Guard[] inOrder;

    private Guards(Guard... inOrder) {
        this.inOrder = inOrder;
    }

    /** Returns guards that are tried in this order. */
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
