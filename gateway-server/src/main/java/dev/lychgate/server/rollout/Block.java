package dev.lychgate.server.rollout;

/**
 * The numbers of exchanges of both generations that ended in the same short time, and of those among them that have the
 * compared property.
 *
 * @param candidate the exchanges of the candidate
 * @param candidateWith the exchanges of the candidate with the property
 * @param stable the exchanges of the stable generation
 * @param stableWith the exchanges of the stable generation with the property
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
