package dev.lychgate.server.rollout;

/**
 * Counts the exchanges of two generations that ended within the same short period: all exchanges, and the exchanges
 * with the compared property.
 *
 * @param candidate number of exchanges of the candidate
 * @param candidateWith number of these exchanges that have the property
 * @param stable number of exchanges of the stable generation
 * @param stableWith number of these exchanges that have the property
 */
record Block(long candidate, long candidateWith, long stable, long stableWith) {
    static final Block NONE = new Block(0, 0, 0, 0);

    Block plus(Block more) {
        return new Block(
                candidate + more.candidate,
                candidateWith + more.candidateWith,
                stable + more.stable,
                stableWith + more.stableWith);
    }
}
