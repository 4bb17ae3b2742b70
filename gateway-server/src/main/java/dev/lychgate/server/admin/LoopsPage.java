package dev.lychgate.server.admin;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.gateway.LoopProbe;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code /loops}: the event loops. Each loop has half a second to respond. The page also lists loops that do not
 * respond in time.
 */
final class LoopsPage {
    private static final long PATIENCE_MILLIS = 500;

    /** @param since start of the call, in nanoseconds of {@link System#nanoTime()} */
    private record Call(FilterSlot filter, long since) {
        private long millis() {
            return Math.max(0, System.nanoTime() - since) / 1_000_000;
        }
    }

    private static final Shape<Call> CALL = new Shape<Call>("LoopCall")
            .text("filter", "The filter that runs.", call -> call.filter.toString())
            .integer("filter_ms", "How long that filter has been running.", Call::millis);

    private static final Shape<LoopProbe> LOOP = new Shape<LoopProbe>("Loop")
            .integer("index", "The position of the loop among all loops, from 0.", LoopProbe::index)
            .text("thread", "The name of the thread of the loop.", LoopProbe::thread)
            .integer("pending", "Queued tasks.", LoopProbe::pending)
            .integer("clients", "Client connections.", LoopProbe::clients)
            .flag("silent", "Whether the loop did not run a task within half a second.", probe -> lag(probe) == null)
            .optional("lag_us", Json.INTEGER, "Microseconds until the loop ran a task.", LoopsPage::lag)
            .includeOptional(CALL, LoopsPage::call);

    static final Shape<List<LoopProbe>> SHAPE = new Shape<List<LoopProbe>>(
                    "Loops", "The event loops, with their queued tasks and the filter that runs.")
            .list("loops", LOOP, "Every event loop.", loops -> loops);

    private final ScheduledExecutorService thread;

    /** @param thread the admin listener's thread, which runs the timeout */
    LoopsPage(ScheduledExecutorService thread) {
        this.thread = thread;
    }

    CompletableFuture<List<LoopProbe>> look(Gateway gateway) {
        List<LoopProbe> probes = gateway.probeLoops();
        CompletableFuture<Void> enough = new CompletableFuture<>();
        Future<?> patience = thread.schedule(() -> enough.complete(null), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        CompletableFuture.allOf(probes.stream().map(LoopProbe::answered).toArray(CompletableFuture[]::new))
                .thenRun(() -> enough.complete(null));
        return enough.thenApply(done -> {
            patience.cancel(false);
            return probes;
        });
    }

    private static @Nullable Long lag(LoopProbe probe) {
        OptionalLong waited = probe.waited();
        return waited.isEmpty() ? null : (Long) (waited.getAsLong() / 1000);
    }

    private static @Nullable Call call(LoopProbe probe) {
        FilterSlot slot = probe.filter();
        return slot == null ? null : new Call(slot, probe.since());
    }
}
