package dev.lychgate.server.shadow;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The differences of one kind that have the same subject. Immutable.
 *
 * @param subject for a filter, its name with its outcomes or with the changed field; for other differences, the pair of
 *     routes, upstreams or statuses, or {@code rewrite of the route}
 * @param count the number of requests that have the difference
 * @param first the time when the difference was first found
 * @param latest the time when the difference was last found
 * @param examples the latest examples, the newest first
 */
public record DecisionGroup(
        ShadowTally.Kind kind, String subject, long count, Instant first, Instant latest, List<Example> examples) {
    private static final int EXAMPLES = 3;

    /**
     * A request that has the difference. The example contains data of a client.
     *
     * @param requestId the request id of the client's exchange
     * @param target the path and query, redacted and shortened
     * @param stable the value of the stable generation, redacted and shortened
     * @param candidate the value of the candidate, redacted and shortened
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
