package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.generation.Generation;
import dev.lychgate.resilience.CircuitBreaker;
import dev.lychgate.resilience.CircuitBreaker.Hold;
import dev.lychgate.upstream.Upstream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** {@code /breakers}: every circuit, with what an operator wants of it. */
final class BreakersPage {
    private BreakersPage() {}

    static void write(JsonGenerator json, Generation generation) throws IOException {
        long now = System.nanoTime();
        json.writeStartObject();
        json.writeNumberField("generation", generation.number());
        json.writeArrayFieldStart("breakers");
        for (Upstream upstream : generation.upstreams()) {
            for (Map.Entry<String, CircuitBreaker> circuit :
                    new TreeMap<>(upstream.protection().breakers()).entrySet()) {
                json.writeStartObject();
                json.writeStringField("upstream", upstream.name());
                fields(json, circuit.getKey(), circuit.getValue(), now);
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** @param endpoint empty if the circuit is that of all endpoints */
    static void fields(JsonGenerator json, String endpoint, CircuitBreaker breaker, long now) throws IOException {
        if (!endpoint.isEmpty()) {
            json.writeStringField("endpoint", endpoint);
        }
        json.writeStringField("position", UpstreamsPage.word(breaker.position()).replace('_', '-'));
        json.writeStringField("state", word(breaker.hold()));
        json.writeNumberField("attempts", breaker.attempts(now));
        json.writeNumberField("failures", breaker.failures(now));
        json.writeNumberField("openings", breaker.openings());
    }

    /** How it is said, and asked for. */
    static String word(Hold hold) {
        return switch (hold) {
            case NONE -> "auto";
            case OPEN -> "force-open";
            case CLOSED -> "force-closed";
        };
    }
}
