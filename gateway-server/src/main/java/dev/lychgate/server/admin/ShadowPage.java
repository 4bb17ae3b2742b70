package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.shadow.DecisionGroup;
import dev.lychgate.server.shadow.DecisionGroup.Example;
import dev.lychgate.server.shadow.ShadowReport;
import dev.lychgate.server.shadow.ShadowTally;
import org.jspecify.annotations.Nullable;

/**
 * The results of a candidate's shadow. {@code /rollout} contains these results without examples;
 * {@code /rollout/examples} adds examples of requests.
 */
final class ShadowPage {
    private static final Shape<DecisionGroup> GROUP = new Shape<DecisionGroup>("ShadowDifference")
            .field("kind", Json.words(ShadowTally.Kind.values()), "What differs.", DecisionGroup::kind)
            .text(
                    "subject",
                    "The filter with its outcomes or the changed field, or the pair of routes, upstreams or statuses.",
                    DecisionGroup::subject)
            .integer("count", "The number of requests that have the difference.", DecisionGroup::count)
            .field("first", Json.TIME, "When the difference was first found.", DecisionGroup::first)
            .field("latest", Json.TIME, "When the difference was last found.", DecisionGroup::latest);

    private static final Shape<Example> EXAMPLE = new Shape<Example>("ShadowExample")
            .field("time", Json.TIME, "When the example was found.", Example::time)
            .text("id", "The id of the request.", Example::requestId)
            .text("method", "The method of the request.", Example::method)
            .text("target", "Path and query of the request, redacted.", Example::target)
            .text("stable", "The value of the stable generation, redacted.", Example::stable)
            .text("candidate", "The value of the candidate, redacted.", Example::candidate);

    private static final Shape<DecisionGroup> WITH_EXAMPLES = new Shape<DecisionGroup>("ShadowDifferenceExamples")
            .include(GROUP, group -> group)
            .list("examples", EXAMPLE, "The latest examples, the newest first.", DecisionGroup::examples);

    private static final Shape<ShadowReport> COUNTS = new Shape<ShadowReport>("ShadowCounts")
            .field("state", Json.words(ShadowReport.State.values()), "Whether the shadow runs.", ShadowReport::state)
            .optionalText("stopped_by", "Why the shadow ended early.", ShadowReport::reason)
            .integer("compared", "The requests that both generations decided.", ShadowReport::compared)
            .integer("different", "The requests with a difference.", ShadowReport::different)
            .field("results", Json.map(Json.INTEGER), "The copies by their result.", ShadowReport::results)
            .integer(
                    "further",
                    "Differences that belong to no group, because there are too many groups.",
                    ShadowReport::further);

    /** The results of a shadow, without data of clients. */
    static final Shape<ShadowReport> SHAPE = new Shape<ShadowReport>("Shadow")
            .include(COUNTS, report -> report)
            .list("differences", GROUP, "The groups of differences, the most frequent first.", ShadowReport::groups);

    private static final Shape<ShadowReport> ALL = new Shape<ShadowReport>("ShadowExamples")
            .include(COUNTS, report -> report)
            .list(
                    "differences",
                    WITH_EXAMPLES,
                    "The groups of differences, the most frequent first.",
                    ShadowReport::groups);

    /** The state of a rollout, with examples of requests. */
    static final Shape<RolloutControl.Status> EXAMPLES = new Shape<RolloutControl.Status>(
                    "RolloutExamples",
                    "The groups of differences that the shadow of the latest candidate found, with examples of requests.")
            .optional("candidate", Json.INTEGER, "The generation of the candidate.", ShadowPage::candidate)
            .optional(
                    "shadow",
                    ALL,
                    "The shadow of the candidate; missing if the candidate has no shadow.",
                    RolloutControl.Status::shadow);

    private ShadowPage() {}

    private static @Nullable Long candidate(RolloutControl.Status of) {
        return of.candidate() == 0 ? null : (Long) of.candidate();
    }
}
