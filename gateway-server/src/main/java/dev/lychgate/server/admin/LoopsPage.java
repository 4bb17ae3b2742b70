package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.gateway.LoopProbe;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** {@code /loops}: the event loops. Each is given a moment to answer; one that does not is shown nevertheless. */
final class LoopsPage {
    private static final long PATIENCE_MILLIS = 500;

    private final ScheduledExecutorService thread;

    /** @param thread the admin listener's, which keeps the time */
    LoopsPage(ScheduledExecutorService thread) {
        this.thread = thread;
    }

    CompletableFuture<AdminAnswer> look(Gateway gateway) {
        List<LoopProbe> probes = gateway.probeLoops();
        CompletableFuture<Void> enough = new CompletableFuture<>();
        Future<?> patience = thread.schedule(() -> enough.complete(null), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        CompletableFuture.allOf(probes.stream().map(LoopProbe::answered).toArray(CompletableFuture[]::new))
                .thenRun(() -> enough.complete(null));
        return enough.thenApplyAsync(
                done -> {
                    patience.cancel(false);
                    return AdminAnswer.json(json -> write(json, probes));
                },
                thread);
    }

    private static void write(JsonGenerator json, List<LoopProbe> probes) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("loops");
        for (LoopProbe probe : probes) {
            json.writeStartObject();
            json.writeNumberField("index", probe.index());
            json.writeStringField("thread", probe.thread());
            json.writeNumberField("pending", probe.pending());
            json.writeNumberField("clients", probe.clients());
            OptionalLong waited = probe.waited();
            json.writeBooleanField("silent", waited.isEmpty());
            if (waited.isPresent()) {
                json.writeNumberField("lag_us", TimeUnit.NANOSECONDS.toMicros(waited.getAsLong()));
            }
            filter(json, probe);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void filter(JsonGenerator json, LoopProbe probe) throws IOException {
        FilterSlot slot = probe.filter();
        if (slot != null) {
            json.writeStringField("filter", slot.toString());
            json.writeNumberField(
                    "filter_ms", TimeUnit.NANOSECONDS.toMillis(Math.max(0, System.nanoTime() - probe.since())));
        }
    }
}
