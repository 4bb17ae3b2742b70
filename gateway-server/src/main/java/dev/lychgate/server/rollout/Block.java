package dev.lychgate.server.rollout;

/**
 * The numbers of exchanges of two generations: the number of exchanges that ended within one short period, and the
 * number of these exchanges that have the compared property.
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
