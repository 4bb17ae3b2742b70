package dev.lychgate.resilience;

import java.util.List;

/**
 * Guards of an attempt (or of an exchange: its route's bulkhead) on one event loop, in a fixed order: guards that refuse for
 * the longest time at the lowest cost come first.
 *
 * <ol>
 *   <li>the route's bulkhead, entered by the exchange before its first attempt: a route at its limit is refused before it
 *       uses shared capacity;
 *   <li>the circuit breaker: an open circuit makes further checks unnecessary;
 *   <li>the upstream's bulkhead: a fixed limit, so that the adaptive limit never grows beyond it;
 *   <li>the adaptive limit: innermost, so that it measures the origin's latency only.
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
