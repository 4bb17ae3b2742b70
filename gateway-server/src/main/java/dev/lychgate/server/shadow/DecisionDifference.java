package dev.lychgate.server.shadow;

/**
 * One difference between the decisions of two generations.
 *
 * @param subject names it without values of the client
 * @param field the changed field, whose values may have to be masked; empty for words of the gateway
 * @param stable the value of the stable generation
 * @param candidate the value of the candidate
 */
record DecisionDifference(ShadowTally.Kind kind, String subject, String field, String stable, String candidate) {
    /** Returns a difference of words that the gateway or a filter has chosen, which are a part of the subject. */
    static DecisionDifference ofWords(ShadowTally.Kind kind, String what, String stable, String candidate) {
        String words = stable + " -> " + candidate;
        return new DecisionDifference(kind, what.isEmpty() ? words : what + ": " + words, "", stable, candidate);
    }
}
