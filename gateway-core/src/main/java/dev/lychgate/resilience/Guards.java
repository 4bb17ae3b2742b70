package dev.lychgate.resilience;

import java.util.List;

/**
 * The guards of an attempt (or of an exchange: its route's bulkhead), in their order; of one event loop. The order is fixed:
 * what refuses for the longest time, and costs least to ask, comes first.
 *
 * <ol>
 *   <li>the route's bulkhead, entered by the exchange before its first attempt: a route that has its share under way is told
 *       so before it can use up anything shared;
 *   <li>the circuit breaker: while the circuit is open nothing else need be counted;
 *   <li>the upstream's bulkhead: a hard number, so that a limit that finds its own height never learns beyond it;
 *   <li>the adaptive limit: innermost, so that the latency it learns from is the origin's alone.
 * </ol>
 *
 * <p>A guard that is not configured is not there, and none at all is {@link #NONE}, which costs one comparison.
 */
public final class Guards {
    public static final Guards NONE = new Guards();

    private final Guard[] inOrder;

    private Guards(Guard... inOrder) {
        this.inOrder = inOrder;
    }

    /** These, asked in this order. */
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
