package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.resilience.CircuitBreaker;
import dev.lychgate.resilience.Protection;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** {@code protection} of an upstream: what stands between it and its callers at present, as far as it is configured. */
final class ProtectionFields {
    private ProtectionFields() {}

    /** @param now nanoseconds of {@link System#nanoTime()} */
    static void write(JsonGenerator json, Protection protection, long now) throws IOException {
        json.writeObjectFieldStart("protection");
        json.writeNumberField("under_way", protection.tally().underWay());
        json.writeArrayFieldStart("breakers");
        for (Map.Entry<String, CircuitBreaker> circuit : new TreeMap<>(protection.breakers()).entrySet()) {
            json.writeStartObject();
            BreakersPage.fields(json, circuit.getKey(), circuit.getValue(), now);
            json.writeEndObject();
        }
        json.writeEndArray();
        write(json, "bulkhead_in_use", protection.bulkheadInUse());
        write(json, "limit", protection.limit());
        json.writeNumberField("retry_budget_left", protection.budget().left(now));
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String name, OptionalInt value) throws IOException {
        if (value.isPresent()) {
            json.writeNumberField(name, value.getAsInt());
        }
    }
}
