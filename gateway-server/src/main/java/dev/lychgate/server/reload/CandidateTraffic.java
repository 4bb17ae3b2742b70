package dev.lychgate.server.reload;

import dev.lychgate.generation.Generation;

/** A candidate generation in the gateway, and its share of the exchanges. Methods may block. */
interface CandidateTraffic {
    /** Returns the number of its generation. */
    long number();

    /** Changes its share of the exchanges. @param share 0 to 1 */
    void split(double share);

    /** Makes it the stable generation. */
    Generation promote();

    /** Ends its share. Exchanges in progress finish with it. */
    void withdraw();
}
