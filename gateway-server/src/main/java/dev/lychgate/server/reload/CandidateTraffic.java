package dev.lychgate.server.reload;

import dev.lychgate.generation.Generation;

/** A candidate generation in the gateway, and its share of the exchanges. Methods may block. */
interface CandidateTraffic {
    /** Returns the number of the candidate's generation. */
    long number();

    /**
     * Changes the candidate's share of the exchanges.
     *
     * @param share 0 to 1
     */
    void split(double share);

    /** Makes the candidate the stable generation. */
    Generation promote();

    /** Sets the candidate's share to 0. Exchanges that the candidate already serves finish with the candidate. */
    void withdraw();
}
