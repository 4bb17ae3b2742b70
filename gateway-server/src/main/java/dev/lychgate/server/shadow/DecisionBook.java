package dev.lychgate.server.shadow;

import dev.lychgate.http.Redaction;
import dev.lychgate.http.RequestHead;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Groups the differences that a shadow has found. The number of groups is bounded; differences that would form further
 * groups are only counted. One thread adds differences; any thread may read.
 */
final class DecisionBook {
    /** The maximum number of groups. */
    static final int MOST = 200;

    private static final int LONGEST_TARGET = 256;
    private static final int LONGEST_VALUE = 80;
    private static final int LONGEST_SUBJECT = 256;

    private record Place(ShadowTally.Kind kind, String subject) {}

    private final Map<Place, DecisionGroup> groups = new ConcurrentHashMap<>();
    private final Redaction redaction;
    private volatile long further;

    /** @param redaction masks values of clients in examples */
    DecisionBook(Redaction redaction) {
        this.redaction = redaction;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void add(ShadowedRequest request, DecisionDifference difference) {
        Place place = new Place(difference.kind(), excerpt(difference.subject(), LONGEST_SUBJECT));
        DecisionGroup known = groups.get(place);
        if (known == null && groups.size() >= MOST) {
            further++;
            return;
        }
        DecisionGroup.Example example = example(request, difference);
        groups.put(place, known == null ? first(place, difference, example) : known.with(example));
    }

    private static DecisionGroup first(Place place, DecisionDifference difference, DecisionGroup.Example example) {
        return DecisionGroup.of(
                new DecisionDifference(
                        place.kind(), place.subject(), difference.field(), difference.stable(), difference.candidate()),
                example);
    }

    private DecisionGroup.Example example(ShadowedRequest request, DecisionDifference difference) {
        RequestHead head = request.head();
        String query = redaction.query(head.query());
        return new DecisionGroup.Example(
                Instant.now(),
                request.id(),
                head.method().name(),
                excerpt(query == null ? head.path() : head.path() + "?" + query, LONGEST_TARGET),
                shown(difference.field(), difference.stable()),
                shown(difference.field(), difference.candidate()));
    }

    private String shown(String field, String value) {
        String masked = field.equals(":query") ? query(value) : redaction.field(field, value);
        return excerpt(masked, LONGEST_VALUE);
    }

    private String query(@Nullable String value) {
        return String.valueOf(redaction.query(value));
    }

    private static String excerpt(String text, int longest) {
        return text.length() > longest ? text.substring(0, longest) + "..." : text;
    }

    /** Returns the groups, the most frequent first. */
    List<DecisionGroup> groups() {
        return groups.values().stream()
                .sorted(Comparator.comparingLong(DecisionGroup::count)
                        .reversed()
                        .thenComparing(DecisionGroup::kind)
                        .thenComparing(DecisionGroup::subject))
                .toList();
    }

    /** Returns the number of differences that belong to no group, because there are too many groups. */
    long further() {
        return further;
    }
}
