package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.generation.Generation;
import java.io.IOException;

/** {@code /generation}: which one is in use, since when, and how much there is of what. */
final class GenerationPage {
    private GenerationPage() {}

    static void write(JsonGenerator json, Generation generation) throws IOException {
        json.writeStartObject();
        json.writeNumberField("number", generation.number());
        json.writeStringField("since", generation.since().toString());
        json.writeNumberField("routes", generation.routes().routes().size());
        json.writeNumberField("upstreams", generation.upstreams().size());
        json.writeNumberField(
                "endpoints",
                generation.upstreams().stream()
                        .mapToInt(u -> u.endpoints().size())
                        .sum());
        json.writeNumberField("filters", generation.filters().slots().size());
        json.writeEndObject();
    }
}
