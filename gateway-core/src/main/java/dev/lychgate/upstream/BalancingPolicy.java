package dev.lychgate.upstream;

/**
 * One algorithm over one {@link EndpointSet}, on one event loop; made anew for another set. Endpoints are told by their
 * index in the set. Choosing allocates nothing, unless it says so.
 */
abstract class BalancingPolicy {
    /** How often {@link #another} takes its chances before it looks at one after the other. */
    private static final int TRIES = 8;

    final EndpointSet set;

    BalancingPolicy(EndpointSet set) {
        this.set = set;
    }

    /** The endpoint for an exchange, whatever it has tried before. */
    abstract int first(BalanceContext context);

    /** An endpoint that the exchange has not tried; -1 if it has tried each. */
    int another(BalanceContext context) {
        for (int i = 0; i < TRIES; i++) {
            int chosen = first(context);
            if (!context.tried(set.endpoint(chosen))) {
                return chosen;
            }
        }
        int from = first(context);
        for (int i = 0; i < set.size(); i++) {
            int chosen = (from + i) % set.size();
            if (!context.tried(set.endpoint(chosen))) {
                return chosen;
            }
        }
        return -1;
    }
}
