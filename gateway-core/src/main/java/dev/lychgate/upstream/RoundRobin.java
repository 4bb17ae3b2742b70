package dev.lychgate.upstream;

/**
 * Each endpoint in turn. Every loop begins at another endpoint, so that a few requests over many loops do not all meet the
 * first one.
 */
final class RoundRobin implements BalancingPolicy {
    private final EndpointSet set;
    private int next;

    /** @param start where to begin */
    RoundRobin(EndpointSet set, int start) {
        this.set = set;
        this.next = Math.floorMod(start, set.size());
    }

    @Override
    public int first(BalanceContext context) {
        int chosen = next;
        next = next + 1 == set.size() ? 0 : next + 1;
        return chosen;
    }

    @Override
    public EndpointSet set() {
        return set;
    }
}
