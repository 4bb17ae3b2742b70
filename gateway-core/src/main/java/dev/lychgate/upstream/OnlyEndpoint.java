package dev.lychgate.upstream;

/** Where there is nothing to choose: a set of one endpoint, or, for the time being, of none. */
record OnlyEndpoint(EndpointSet set) implements BalancingPolicy {
    @Override
    public int first(BalanceContext context) {
        return 0;
    }

    @Override
    public int another(BalanceContext context) {
        return set.size() == 0 || context.tried(set.endpoint(0)) ? -1 : 0;
    }
}
