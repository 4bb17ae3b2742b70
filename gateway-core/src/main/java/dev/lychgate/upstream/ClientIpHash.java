package dev.lychgate.upstream;

/** The same endpoint for the same client address, strictly, by {@link Rendezvous} hashing. */
final class ClientIpHash implements BalancingPolicy {
    private final EndpointSet set;

    ClientIpHash(EndpointSet set) {
        this.set = set;
    }

    @Override
    public int first(BalanceContext context) {
        return best(context, false);
    }

    @Override
    public int another(BalanceContext context) {
        return best(context, true);
    }

    private int best(BalanceContext context, boolean untried) {
        long client = RequestHash.ofAddress(context.clientAddress());
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < set.size(); i++) {
            if (untried && context.tried(set.endpoint(i))) {
                continue;
            }
            double score = Rendezvous.score(set, i, client);
            if (score < least) {
                least = score;
                best = i;
            }
        }
        return best;
    }

    @Override
    public EndpointSet set() {
        return set;
    }
}
