package dev.lychgate.server.explain;

import dev.lychgate.chain.FilterForm;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.route.RouteExplanation.Considered;
import dev.lychgate.route.RouteExplanation.Verdict;
import dev.lychgate.server.filters.FilterSight;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import dev.lychgate.server.json.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An {@link Explanation} as JSON, for {@code /explain} of the admin listener and for {@code routes --json}. */
public final class ExplanationJson {
    public static final JsonType<FilterPhase> PHASE = Json.words(FilterPhase.values());
    public static final JsonType<FilterForm> FORM = Json.words(FilterForm.values());

    private static final JsonType<Verdict> VERDICT =
            Json.words(Verdict.values(), verdict -> Json.word(verdict).replace('-', ' '));

    public static final Shape<FilterSight> FILTER = new Shape<FilterSight>("RouteFilter", "A filter on a route.")
            .field(
                    "phase",
                    PHASE,
                    "The phase of the filter.",
                    filter -> filter.slot().phase())
            .text("name", "The name of the filter.", filter -> filter.slot().name())
            .integer(
                    "order",
                    "The position of the filter within its phase.",
                    filter -> filter.slot().order())
            .field(
                    "form",
                    FORM,
                    "The form in which the gateway calls the filter.",
                    filter -> filter.slot().form())
            .text(
                    "source",
                    "The source of the filter: built-in, the path of the file, or the class.",
                    FilterSight::source);

    private static final Shape<FilterInquiry.Answer> MET_FILTER = new Shape<FilterInquiry.Answer>("MetFilter")
            .include(FILTER, FilterInquiry.Answer::filter)
            .optionalText(
                    "remark",
                    "The reason why the filter would not run, or the condition under which it would run; how a filter"
                            + " decides if it is an authenticator or authorizer.",
                    FilterInquiry.Answer::remark);

    private static final Shape<Considered> CONSIDERED = new Shape<Considered>("ConsideredRoute")
            .text("route", "The id of the route.", Considered::id)
            .field("verdict", VERDICT, "The result of the match.", Considered::verdict)
            .optionalText("detail", "The condition that failed, or the share of the route.", Considered::detail);

    private static final Shape<Explanation.Meets> MEETS = new Shape<Explanation.Meets>("MetRoute")
            .text("route", "The id of the route.", Explanation.Meets::route)
            .text("does", "The action of the route in words.", Explanation.Meets::does)
            .optional(
                    "rate_limits",
                    Json.list(Json.TEXT),
                    "The rate limits that count the request, of the listener and of the route.",
                    met -> met.rateLimits().isEmpty() ? null : met.rateLimits())
            .optionalText(
                    "overload",
                    "The priority under overload and the rung of the upstream, in words.",
                    Explanation.Meets::overload)
            .optionalText(
                    "cache",
                    "The use of the cache of the route, in words: the key, or the reason why the cache is not used.",
                    Explanation.Meets::cache)
            .list("filters", MET_FILTER, "The filters on the route, in order.", Explanation.Meets::filters)
            .optional(
                    "faults",
                    Json.list(Json.TEXT),
                    "The active faults that may affect the request, in words.",
                    met -> met.faults().isEmpty() ? null : met.faults());

    public static final Shape<Explanation> SHAPE = new Shape<Explanation>(
                    "Explanation", "The route and the filters for a request.")
            .text("request", "Method and URL, with the path in its normal form.", Explanation::request)
            .optionalText("refused", "The reason for a rejection with 400.", Explanation::refused)
            .optionalText(
                    "client_refused",
                    "The reason why the client is refused: not-allowed, denied or banned.",
                    Explanation::clientRefused)
            .list("considered", CONSIDERED, "All routes, in the order of evaluation.", Explanation::considered)
            .list("meets", MEETS, "The routes that may match the request.", Explanation::meets)
            .optional(
                    "filters",
                    Json.list(MET_FILTER),
                    "The filters that run if no route matches.",
                    ExplanationJson::otherwise)
            .optionalText("filters_fault", "The reason why the filters are unknown.", Explanation::withoutFilters);

    private ExplanationJson() {}

    private static @Nullable List<FilterInquiry.Answer> otherwise(Explanation explanation) {
        return explanation.meets().isEmpty() ? explanation.otherwise() : null;
    }
}
