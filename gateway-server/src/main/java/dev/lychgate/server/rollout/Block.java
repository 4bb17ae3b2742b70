package dev.lychgate.server.rollout;

/**
 * Exchanges of both generations that ended in the same short time, and those among them that have the compared property.
 *
 * @param candidate exchanges of the candidate
 * @param candidateWith those with the property
 * @param stable exchanges of the stable generation
 * @param stableWith those with the property
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
