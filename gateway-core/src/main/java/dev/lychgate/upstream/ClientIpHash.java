package dev.lychgate.upstream;

/**
 * The same endpoint for the same client address, strictly: when an endpoint may no longer be used its own clients move,
 * spread over all others, and nobody else; when it is back they return. Rendezvous hashing: for each client every endpoint
 * has a score that depends on the two of them alone, and the best one is chosen. Looks at every endpoint for each choice.
 *
 * @see <a href="https://doi.org/10.1109/90.663936">Thaler and Ravishankar, Using Name-Based Mappings to Increase Hit Rates,
 *     1998</a>
 */
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
            Endpoint endpoint = set.endpoint(i);
            if (untried && context.tried(endpoint)) {
                continue;
            }
            // Exponentially distributed with the share as its rate: the least of all is this one as often as its share
            // says.
            double score = -Math.log(Hash.unit(Hash.mix(client ^ endpoint.seed()))) / set.share(i);
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
