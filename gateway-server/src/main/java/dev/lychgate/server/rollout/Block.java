package dev.lychgate.server.rollout;

/**
 * The exchanges that ended within one short period, by generation.
 *
 * @param candidate number of exchanges of the candidate
 * @param candidateWith number of the candidate's exchanges that have the compared property
 * @param stable number of exchanges of the stable generation
 * @param stableWith number of the stable generation's exchanges that have the compared property
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
