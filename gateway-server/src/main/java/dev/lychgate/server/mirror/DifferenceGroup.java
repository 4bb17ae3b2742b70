package dev.lychgate.server.mirror;

import dev.lychgate.server.metrics.MirrorTally;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The differences of one kind that have the same subject. Immutable.
 *
 * @param subject the pair of statuses, the field name, or the JSON path; {@code body} for bodies not compared as JSON
 * @param count the number of compared requests that have the difference
 * @param first the time when the difference was first found
 * @param latest the time when the difference was last found
 * @param examples the latest examples, the newest first
 */
public record DifferenceGroup(
        MirrorTally.Kind kind, String subject, long count, Instant first, Instant latest, List<Example> examples) {
    private static final int EXAMPLES = 3;

    /**
     * An example of a difference.
     *
     * @param requestId the id of the request; both origins received it
     * @param target the redacted path and query
     * @param primary the value in the response of the route's origin, shortened and redacted
     * @param shadow the value in the response to the copy, shortened and redacted
     */
    public record Example(
            Instant time, String requestId, String method, String target, String primary, String shadow) {}

    static DifferenceGroup of(Difference difference, Example example) {
        return new DifferenceGroup(
                difference.kind(), difference.subject(), 1, example.time(), example.time(), List.of(example));
    }

    DifferenceGroup with(Example example) {
        List<Example> latestOnes = Stream.concat(Stream.of(example), examples.stream())
                .limit(EXAMPLES)
                .toList();
        return new DifferenceGroup(kind, subject, count + 1, first, example.time(), latestOnes);
    }
}
