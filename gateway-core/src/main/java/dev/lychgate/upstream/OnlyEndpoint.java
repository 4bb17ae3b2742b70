package dev.lychgate.upstream;

/** Where there is nothing to choose: a set of one endpoint, or, for the time being, of none. */
final class OnlyEndpoint extends BalancingPolicy {
    OnlyEndpoint(EndpointSet set) {
        super(set);
    }

    @Override
    int first(BalanceContext context) {
        return 0;
    }

    @Override
    int another(BalanceContext context) {
        return set.size() == 0 || context.tried(set.endpoint(0)) ? -1 : 0;
    }
}
