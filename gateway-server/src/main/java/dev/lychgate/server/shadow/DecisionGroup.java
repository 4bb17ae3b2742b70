package dev.lychgate.server.shadow;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Differences of one kind with one subject. Immutable.
 *
 * @param subject the filter with its outcomes or the changed field, or the pair of routes, upstreams or statuses
 * @param count the requests that have the difference
 * @param first when it was first found
 * @param latest when it was last found
 * @param examples the latest ones, the newest first
 */
public record DecisionGroup(
        ShadowTally.Kind kind, String subject, long count, Instant first, Instant latest, List<Example> examples) {
    private static final int EXAMPLES = 3;

    /**
     * A request with the difference. It contains data of a client.
     *
     * @param requestId the id of the exchange of the client
     * @param target path and query, redacted and shortened
     * @param stable the value of the stable generation, likewise
     * @param candidate the value of the candidate, likewise
     */
    public record Example(
            Instant time, String requestId, String method, String target, String stable, String candidate) {}

    static DecisionGroup of(DecisionDifference difference, Example example) {
        return new DecisionGroup(
                difference.kind(), difference.subject(), 1, example.time(), example.time(), List.of(example));
    }

    DecisionGroup with(Example example) {
        List<Example> latestOnes = Stream.concat(Stream.of(example), examples.stream())
                .limit(EXAMPLES)
                .toList();
        return new DecisionGroup(kind, subject, count + 1, first, example.time(), latestOnes);
    }

    @Override
    public String toString() {
        return count + " x " + ShadowTally.label(kind) + " " + subject;
    }
}
