package dev.lychgate.server.shadow;

/**
 * One difference between the decisions of two generations.
 *
 * @param subject the description of the difference, without values from the client
 * @param field the name of the changed field, which determines whether the redaction masks the values; empty if the
 *     values are not from the client
 * @param stable the value of the stable generation
 * @param candidate the value of the candidate
 */
record DecisionDifference(ShadowTally.Kind kind, String subject, String field, String stable, String candidate) {
    /**
     * Returns a difference between a text of the stable generation and a text of the candidate. Both texts are from the
     * gateway or from a filter, such as route ids and outcomes. Unlike values from clients, they are a part of the
     * subject.
     */
    static DecisionDifference ofWords(ShadowTally.Kind kind, String what, String stable, String candidate) {
        String words = stable + " -> " + candidate;
        return new DecisionDifference(kind, what.isEmpty() ? words : what + ": " + words, "", stable, candidate);
    }
}
