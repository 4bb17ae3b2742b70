package dev.lychgate.server.metrics;

import dev.lychgate.filters.coding.CodingCounters;
import dev.lychgate.filters.coding.ContentCoding;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** The meters of bodies that were compressed and decompressed. For one thread. */
final class CodingMeters {
    private final MeterRows compressed;
    private final MeterRows decompressed;
    private final MeterRows refused;
    private final MeterRows skipped;

    CodingMeters(MeterRegistry registry) {
        compressed = bytes(registry, "compressed", "Bytes of bodies that were compressed, before and after");
        decompressed = bytes(registry, "decompressed", "Bytes of bodies that were decompressed, before and after");
        refused = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.decompression.refused",
                null,
                "Bodies that were not decompressed, or not to their end",
                "reason");
        skipped = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.compression.skipped",
                null,
                "Bodies that were not compressed, because memory was short");
    }

    private static MeterRows bytes(MeterRegistry registry, String what, String description) {
        return new MeterRows(
                registry, MeterRows.Kind.COUNTER, "lychgate." + what, "bytes", description, "coding", "form");
    }

    void show() {
        for (ContentCoding coding : ContentCoding.values()) {
            show(compressed, CodingCounters.ENCODED, coding);
            show(decompressed, CodingCounters.DECODED, coding);
        }
        skipped.set(CodingCounters.ENCODED.skipped());
        for (CodingCounters.Refusal why : CodingCounters.Refusal.values()) {
            refused.set(CodingCounters.DECODED.refusals(why), why.name().toLowerCase(Locale.ROOT));
        }
    }

    private static void show(MeterRows rows, CodingCounters counters, ContentCoding coding) {
        rows.set(counters.plain(coding), coding.token(), "plain");
        rows.set(counters.coded(coding), coding.token(), "coded");
    }
}
