package dev.lychgate.server.admin;

import static dev.lychgate.server.admin.AdminResponse.now;
import static dev.lychgate.server.admin.AdminRoute.json;

import dev.lychgate.exchange.call.MirrorOutcome;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.metrics.MirrorTally;
import dev.lychgate.server.mirror.DifferenceGroup;
import dev.lychgate.server.mirror.MirrorBook;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code /mirrors}: the copies of requests, and how their responses differ. A separate path also shows examples,
 * because examples contain data of clients.
 */
final class MirrorsPage {
    private static final Parameter<String> ROUTE =
            Parameter.optional("route", "the id of the route of one mirror; default all mirrors");

    private record Shown(Instant since, List<MirrorBook.Shown> mirrors) {
        static Shown of(MirrorBook book, @Nullable String route) {
            return new Shown(book.since(), book.look(route));
        }
    }

    private static final Shape<DifferenceGroup> GROUP = new Shape<DifferenceGroup>("MirrorDifference")
            .field("kind", Json.words(MirrorTally.Kind.values()), "What differs.", DifferenceGroup::kind)
            .text(
                    "subject",
                    "The pair of statuses, the name of the field, or the JSON path; body for a body that is not JSON.",
                    DifferenceGroup::subject)
            .integer("count", "The number of compared requests that have the difference.", DifferenceGroup::count)
            .field("first", Json.TIME, "When the difference was first found.", DifferenceGroup::first)
            .field("latest", Json.TIME, "When the difference was last found.", DifferenceGroup::latest);

    private static final Shape<DifferenceGroup.Example> EXAMPLE = new Shape<DifferenceGroup.Example>("MirrorExample")
            .field("time", Json.TIME, "When the example was found.", DifferenceGroup.Example::time)
            .text("id", "The id of the request, which both origins received.", DifferenceGroup.Example::requestId)
            .text("method", "The method of the request.", DifferenceGroup.Example::method)
            .text("target", "Path and query of the request, redacted.", DifferenceGroup.Example::target)
            .text("primary", "The value from the upstream of the route, redacted.", DifferenceGroup.Example::primary)
            .text("shadow", "The value from the upstream of the copy, redacted.", DifferenceGroup.Example::shadow);

    private static final Shape<DifferenceGroup> WITH_EXAMPLES = new Shape<DifferenceGroup>("MirrorDifferenceExamples")
            .include(GROUP, group -> group)
            .list("examples", EXAMPLE, "The latest examples, the newest first.", DifferenceGroup::examples);

    private static final Shape<MirrorBook.Shown> MIRROR = new Shape<MirrorBook.Shown>("Mirror")
            .text("route", "The id of the route.", MirrorBook.Shown::route)
            .text("upstream", "The upstream of the copies.", MirrorBook.Shown::upstream)
            .field(
                    "outcomes",
                    Json.map(Json.INTEGER),
                    "Copies by outcome, since the start.",
                    mirror -> outcomes(mirror.tally(), false))
            .field(
                    "dropped",
                    Json.map(Json.INTEGER),
                    "Dropped copies by reason, since the start.",
                    mirror -> outcomes(mirror.tally(), true))
            .field(
                    "comparisons",
                    Json.map(Json.INTEGER),
                    "Comparisons by result, since the start.",
                    mirror -> counts(MirrorTally.Result.values(), Json::word, mirror.tally()::count))
            .integer(
                    "further",
                    "Differences that belong to no group, because there are too many groups.",
                    shown -> shown.further());

    private static final Shape<MirrorBook.Shown> WITH_GROUPS = new Shape<MirrorBook.Shown>("MirrorGroups")
            .include(MIRROR, mirror -> mirror)
            .list(
                    "differences",
                    GROUP,
                    "The groups of differences, the most frequent first.",
                    MirrorBook.Shown::groups);

    private static final Shape<MirrorBook.Shown> WITH_ALL = new Shape<MirrorBook.Shown>("MirrorExamples")
            .include(MIRROR, mirror -> mirror)
            .list(
                    "differences",
                    WITH_EXAMPLES,
                    "The groups of differences, the most frequent first.",
                    MirrorBook.Shown::groups);

    private static final Shape<Shown> SHAPE = new Shape<Shown>(
                    "Mirrors", "The copies of requests, and the groups of differences between responses.")
            .field("since", Json.TIME, "The time since which differences are collected.", Shown::since)
            .list("mirrors", WITH_GROUPS, "Every mirror that has received a copy.", Shown::mirrors);

    private static final Shape<Shown> EXAMPLES = new Shape<Shown>(
                    "MirrorsExamples",
                    "The groups of differences between responses, with examples of clients' requests.")
            .field("since", Json.TIME, "The time since which differences are collected.", Shown::since)
            .list("mirrors", WITH_ALL, "Every mirror that has received a copy.", Shown::mirrors);

    private MirrorsPage() {}

    private static Map<String, Long> outcomes(MirrorTally tally, boolean dropped) {
        Map<String, Long> counts = counts(MirrorOutcome.values(), MirrorOutcome::label, tally::ended);
        for (MirrorOutcome outcome : MirrorOutcome.values()) {
            if (outcome.isDropped() != dropped) {
                counts.remove(outcome.label());
            }
        }
        return counts;
    }

    private static <E> Map<String, Long> counts(E[] constants, Function<E, String> label, ToLongFunction<E> count) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (E constant : constants) {
            long counted = count.applyAsLong(constant);
            if (counted > 0) {
                counts.put(label.apply(constant), counted);
            }
        }
        return counts;
    }

    /**
     * Returns the routes of the pages that show mirrors.
     *
     * @param source supplies the differences
     */
    static List<AdminRoute> routes(AdminSource source) {
        return List.of(
                json(
                                "/mirrors",
                                SHAPE,
                                given -> now(
                                        AdminResponse.json(SHAPE, Shown.of(source.mirrors(), given.optional(ROUTE)))))
                        .taking(ROUTE),
                json(
                                "/mirrors/examples",
                                EXAMPLES,
                                given -> now(AdminResponse.json(
                                        EXAMPLES, Shown.of(source.mirrors(), given.optional(ROUTE)))))
                        .taking(ROUTE)
                        .recordings(),
                json("/mirrors/reset", SHAPE, given -> {
                            source.mirrors().reset();
                            return now(AdminResponse.json(SHAPE, Shown.of(source.mirrors(), null)));
                        })
                        .changing("Discards all groups of differences; the counts remain."));
    }
}
