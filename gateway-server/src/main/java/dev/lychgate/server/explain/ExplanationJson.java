package dev.lychgate.server.explain;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.server.filters.FilterSight;
import dev.lychgate.server.json.JsonObject;
import java.io.IOException;
import java.util.List;

/** An {@link Explanation} as JSON, for {@code /explain} of the admin listener and for {@code routes --json}. */
public final class ExplanationJson {
    private ExplanationJson() {}

    /** Writes the fields of {@code explanation} into the current object. */
    public static void fields(JsonGenerator json, Explanation explanation) throws IOException {
        of(explanation).writeFields(json);
    }

    /** Returns an explanation as an object. */
    public static JsonObject of(Explanation explanation) {
        return new JsonObject()
                .with("request", explanation.request())
                .with("refused", explanation.refused())
                .with(
                        "considered",
                        explanation.considered().stream()
                                .map(route -> new JsonObject()
                                        .with("route", route.id())
                                        .with("verdict", Explanation.word(route))
                                        .with("detail", route.detail()))
                                .toList())
                .with(
                        "meets",
                        explanation.meets().stream()
                                .map(met -> new JsonObject()
                                        .with("route", met.route())
                                        .with("does", met.does())
                                        .with("filters", filters(met.filters())))
                                .toList())
                .with("filters", explanation.meets().isEmpty() ? filters(explanation.otherwise()) : null)
                .with("filters_fault", explanation.withoutFilters());
    }

    private static List<JsonObject> filters(List<FilterInquiry.Answer> filters) {
        return filters.stream()
                .map(answer ->
                        of(answer.filter()).with("remark", answer.remark().isEmpty() ? null : answer.remark()))
                .toList();
    }

    /** Writes the fields of one filter into the current object. */
    public static void filter(JsonGenerator json, FilterSight filter) throws IOException {
        of(filter).writeFields(json);
    }

    private static JsonObject of(FilterSight filter) {
        return new JsonObject()
                .with("phase", filter.phase())
                .with("name", filter.slot().name())
                .with("order", filter.slot().order())
                .with("form", filter.form())
                .with("source", filter.source());
    }
}
