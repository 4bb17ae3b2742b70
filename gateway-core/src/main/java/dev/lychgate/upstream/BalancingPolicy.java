package dev.lychgate.upstream;

/**
 * One algorithm over one {@link EndpointSet}, on one event loop; made anew for another set. Endpoints are told by their
 * index in the set. Choosing allocates nothing, unless it says so.
 */
interface BalancingPolicy {
    /** How often {@link #another} takes its chances before it looks at one after the other. */
    int TRIES = 8;

    /** The endpoint for an exchange, whatever it has tried before. */
    int first(BalanceContext context);

    /** An endpoint that the exchange has not tried; -1 if it has tried each. */
    default int another(BalanceContext context) {
        EndpointSet set = set();
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

    /** What it chooses from. */
    EndpointSet set();
}
