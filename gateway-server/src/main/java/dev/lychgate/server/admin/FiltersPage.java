package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.FilterStats;
import dev.lychgate.filters.groovy.IgnoredFile;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.filters.FilterSight;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** {@code /filters}: every filter with where it runs, how, and what it has done. */
final class FiltersPage {
    private FiltersPage() {}

    /** @param ignored files of the filter directory that are not used */
    static void write(JsonGenerator json, Generation generation, List<IgnoredFile> ignored) throws IOException {
        json.writeStartObject();
        write(json, generation.number(), generation.filters().placements());
        json.writeArrayFieldStart("ignored");
        for (IgnoredFile file : ignored) {
            json.writeStartObject();
            json.writeStringField("file", file.file());
            json.writeStringField("reason", file.reason());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Some of them. */
    static void writeSome(JsonGenerator json, Generation generation, Collection<FilterChains.Placement> some)
            throws IOException {
        json.writeStartObject();
        write(json, generation.number(), some);
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, long generation, Collection<FilterChains.Placement> placements)
            throws IOException {
        json.writeNumberField("generation", generation);
        json.writeArrayFieldStart("filters");
        for (FilterChains.Placement placement : placements) {
            write(json, placement);
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, FilterChains.Placement placement) throws IOException {
        FilterSlot slot = placement.slot();
        json.writeStartObject();
        json.writeStringField("phase", small(slot.phase()));
        json.writeStringField("name", slot.name());
        json.writeStringField("form", small(slot.form()));
        json.writeNumberField("order", slot.order());
        json.writeStringField("source", new FilterSight(slot, false).source());
        json.writeBooleanField("global", placement.global());
        json.writeArrayFieldStart("routes");
        for (String route : placement.routes()) {
            json.writeString(route);
        }
        json.writeEndArray();
        json.writeStringField("on_failure", slot.failsClosed() ? "fail-closed" : "fail-open");
        json.writeNumberField("timeout_ms", TimeUnit.NANOSECONDS.toMillis(slot.timeoutNanos()));
        json.writeBooleanField("ejected", slot.isEjected());
        json.writeBooleanField("disabled", slot.isDisabled());
        json.writeNumberField("strikes", slot.strikes());
        write(json, slot.stats());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, FilterStats stats) throws IOException {
        json.writeNumberField("runs", stats.runs());
        json.writeNumberField("micros", TimeUnit.NANOSECONDS.toMicros(stats.nanos()));
        json.writeNumberField("failures", stats.failures());
        json.writeNumberField("timeouts", stats.timeouts());
        json.writeNumberField("skipped", stats.skipped());
        json.writeNumberField("lingering", stats.lingering());
    }

    private static String small(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
