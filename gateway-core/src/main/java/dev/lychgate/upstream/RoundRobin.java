package dev.lychgate.upstream;

/**
 * Each endpoint in turn. Every loop begins at another endpoint, so that a few requests over many loops do not all meet the
 * first one.
 */
final class RoundRobin extends BalancingPolicy {
    private int next;

    RoundRobin(EndpointSet set, int start) {
        super(set);
        this.next = Math.floorMod(start, set.size());
    }

    @Override
    int first(BalanceContext context) {
        int chosen = next;
        next = next + 1 == set.size() ? 0 : next + 1;
        return chosen;
    }
}
