package dev.lychgate.upstream;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rendezvous hashing: for each key every endpoint has a score that depends on the two of them alone, and the best one is
 * chosen. When an endpoint may no longer be used its own keys move, spread over all others, and nobody else; when it is back
 * they return. Looks at every endpoint for each choice.
 *
 * @see <a href="https://doi.org/10.1109/90.663936">Thaler and Ravishankar, Using Name-Based Mappings to Increase Hit Rates,
 *     1998</a>
 */
final class Rendezvous {
    private Rendezvous() {}

    /** The endpoint of a key; null if none gets traffic. */
    static @Nullable Endpoint of(EndpointSet set, long key) {
        int best = best(set, key, endpoint -> true);
        return best < 0 ? null : set.endpoint(best);
    }

    /** The index of a key's endpoint among those that {@code condition} admits; -1 if there is none. */
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
        // Exponentially distributed with the share as its rate: the least of all is this one as often as its share
        // says.
        return -Math.log(Hash.unit(Hash.mix(key ^ set.endpoint(index).seed()))) / set.share(index);
    }
}
