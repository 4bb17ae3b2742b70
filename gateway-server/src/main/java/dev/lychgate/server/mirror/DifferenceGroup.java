package dev.lychgate.server.mirror;

import dev.lychgate.server.metrics.MirrorTally;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Differences of one kind at one place. Immutable.
 *
 * @param subject the pair of statuses, the field name, or the JSON path; {@code body} for other bodies
 * @param count the number of compared requests that have the difference
 * @param first when it was first found
 * @param latest when it was last found
 * @param examples the latest ones, the newest first
 */
public record DifferenceGroup(
        MirrorTally.Kind kind, String subject, long count, Instant first, Instant latest, List<Example> examples) {
    private static final int EXAMPLES = 3;

    /**
     * An example of a difference.
     *
     * @param requestId the id of the request, which both origins received
     * @param target path and query, redacted
     * @param primary the value of the route's origin, shortened and redacted
     * @param shadow the value of the upstream of the copy, likewise
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
