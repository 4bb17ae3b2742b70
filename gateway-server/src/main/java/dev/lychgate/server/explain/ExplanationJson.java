package dev.lychgate.server.explain;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.route.RouteExplanation;
import dev.lychgate.server.filters.FilterSight;
import java.io.IOException;
import java.util.List;

/** An {@link Explanation} as JSON, for {@code /explain} of the admin listener and for {@code routes --json}. */
public final class ExplanationJson {
    private ExplanationJson() {}

    /** Writes the fields of {@code explanation} into the current object. */
    public static void fields(JsonGenerator json, Explanation explanation) throws IOException {
        json.writeStringField("request", explanation.request());
        if (explanation.refused() != null) {
            json.writeStringField("refused", explanation.refused());
        }
        json.writeArrayFieldStart("considered");
        for (RouteExplanation.Considered route : explanation.considered()) {
            json.writeStartObject();
            json.writeStringField("route", route.id());
            json.writeStringField("verdict", Explanation.word(route));
            if (route.detail() != null) {
                json.writeStringField("detail", route.detail());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("meets");
        for (Explanation.Meets met : explanation.meets()) {
            json.writeStartObject();
            json.writeStringField("route", met.route());
            json.writeStringField("does", met.does());
            filters(json, met.filters());
            json.writeEndObject();
        }
        json.writeEndArray();
        if (explanation.meets().isEmpty()) {
            filters(json, explanation.otherwise());
        }
        if (explanation.withoutFilters() != null) {
            json.writeStringField("filters_fault", explanation.withoutFilters());
        }
    }

    private static void filters(JsonGenerator json, List<FilterInquiry.Answer> filters) throws IOException {
        json.writeArrayFieldStart("filters");
        for (FilterInquiry.Answer answer : filters) {
            json.writeStartObject();
            filter(json, answer.filter());
            if (!answer.remark().isEmpty()) {
                json.writeStringField("remark", answer.remark());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Writes the fields of one filter into the current object. */
    public static void filter(JsonGenerator json, FilterSight filter) throws IOException {
        json.writeStringField("phase", filter.phase());
        json.writeStringField("name", filter.slot().name());
        json.writeNumberField("order", filter.slot().order());
        json.writeStringField("form", filter.form());
        json.writeStringField("source", filter.source());
    }
}
