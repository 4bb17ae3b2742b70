package dev.lychgate.upstream;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Selects endpoints by rendezvous hashing, so that requests with equal keys reach one endpoint. For each key, every
 * endpoint has a score, which depends on the endpoint and the key alone; the endpoint with the best score is selected.
 * If an endpoint becomes unusable, its keys are spread over all other endpoints. The keys return when the endpoint is
 * usable again. No other keys move. Each selection visits every endpoint.
 *
 * @see <a href="https://doi.org/10.1109/90.663936">Thaler and Ravishankar, Using Name-Based Mappings to Increase Hit
 *     Rates, 1998</a>
 */
final class Rendezvous {
    private Rendezvous() {}

    /** Returns the endpoint for a key; null if no endpoint gets traffic. */
    static @Nullable Endpoint of(EndpointSet set, long key) {
        int best = best(set, key, endpoint -> true);
        return best < 0 ? null : set.endpoint(best);
    }

    /**
     * Returns the index of the endpoint for a key, selected from the endpoints that satisfy {@code condition}; -1 if no
     * endpoint does.
     */
    static int best(EndpointSet set, long key, Predicate<Endpoint> condition) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < set.size(); i++) {
            double score = condition.test(set.endpoint(i)) ? score(set, i, key) : Double.POSITIVE_INFINITY;
            if (score < least) {
                least = score;
                best = i;
            }
        }
        return best;
    }

    private static double score(EndpointSet set, int index, long key) {
        // The score is exponentially distributed with the share as its rate. Therefore, the probability that an
        // endpoint has the minimum score equals its share.
        return -Math.log(Hash.unit(Hash.mix(key ^ set.endpoint(index).seed()))) / set.share(index);
    }
}
