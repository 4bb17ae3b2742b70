package dev.lychgate.server.recording;

import dev.lychgate.config.RecordConfig;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.LoopBarrier;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.route.Ingress;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.metrics.Losses;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recording of a gateway, which can be started, changed and stopped while exchanges run. An exchange that was
 * selected before a change is written to the recording that is current at its end. Any thread may read the counts; one
 * thread at a time changes the recording.
 */
public final class CurrentRecording implements ExchangeObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CurrentRecording.class);

    private final LoopBarrier loops = new LoopBarrier();
    private volatile @Nullable RecordConfig config;
    private volatile @Nullable FullRecorder current;
    /** The replaced recorder, while it is being closed. */
    private volatile @Nullable FullRecorder ending;

    private @Nullable GatewayMetrics metrics;
    private boolean shown;
    private final AtomicLong recorded = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    private CurrentRecording() {}

    /**
     * Starts the recording, if one is configured.
     *
     * @throws StartFailure if the file can't be written, another process writes it, or the key can't be read
     */
    public static CurrentRecording start(@Nullable RecordConfig config) {
        CurrentRecording recording = new CurrentRecording();
        recording.config = config;
        recording.current = config == null ? null : FullRecorder.start(config, MemoryBudget.OF_PROCESS);
        return recording;
    }

    /** Returns the object that searches the recording; null if the gateway does not record exchanges. */
    public @Nullable RecordingSearch search() {
        RecordConfig recording = config;
        return recording == null ? null : new RecordingSearch(recording);
    }

    /**
     * Opens a changed recording, unless it has the same file as the current recording. Only one recorder may open a
     * file.
     *
     * @throws StartFailure if the recording can't be opened
     */
    public @Nullable FullRecorder prepare(@Nullable RecordConfig changed) {
        RecordConfig before = config;
        if (changed == null) {
            return null;
        }
        if (before == null || !isSameFile(before, changed)) {
            return FullRecorder.start(changed, MemoryBudget.OF_PROCESS);
        }
        RecordingOutput.requireKey(changed);
        return null;
    }

    private static boolean isSameFile(RecordConfig one, RecordConfig other) {
        return Path.of(one.file())
                .toAbsolutePath()
                .normalize()
                .equals(Path.of(other.file()).toAbsolutePath().normalize());
    }

    /**
     * Uses a changed recording. Blocks for some seconds at most, until the queued exchanges are written to the old
     * recording.
     *
     * @param opened the recorder that {@link #prepare} has opened; null if it has opened none
     */
    public void use(@Nullable RecordConfig changed, @Nullable FullRecorder opened) {
        FullRecorder before = current;
        current = opened;
        config = changed;
        if (before != null) {
            ending = before;
            loops.await();
            before.close();
            ending = null;
            recorded.addAndGet(before.recorded());
            dropped.addAndGet(before.dropped());
        }
        if (opened == null && changed != null) {
            try {
                current = FullRecorder.start(changed, MemoryBudget.OF_PROCESS);
            } catch (StartFailure e) {
                LOG.error("no exchanges are recorded: {}", e.getMessage());
            }
        }
        show();
    }

    /** Registers the metrics as soon as there is a recording. The counts continue when the recording changes. */
    public void showIn(GatewayMetrics registry) {
        metrics = registry;
        show();
    }

    private void show() {
        GatewayMetrics registry = metrics;
        if (registry == null || current == null || shown) {
            return;
        }
        shown = true;
        registry.counter(
                "lychgate.recording.recorded",
                "Exchanges in the recording",
                () -> count(recorded.get(), FullRecorder::recorded));
        registry.loss(
                Losses.Kind.LOG,
                "recording",
                "lychgate.recording.dropped",
                "Selected exchanges that were not recorded for lack of memory, or because the file failed",
                () -> count(dropped.get(), FullRecorder::dropped));
    }

    private long count(long past, ToLongFunction<FullRecorder> count) {
        FullRecorder recorder = current;
        FullRecorder replaced = ending;
        return past
                + (recorder == null ? 0 : count.applyAsLong(recorder))
                + (replaced == null ? 0 : count.applyAsLong(replaced));
    }

    @Override
    public ExchangeObserver onLoop(Loop loop) {
        loops.add(loop);
        return new OfLoop(loop);
    }

    /** @throws IllegalStateException always: only the observers of {@link #onLoop} receive events */
    @Override
    public void onClosed(Exchange exchange) {
        throw new IllegalStateException("the recorder captures per loop; use onLoop");
    }

    @Override
    public void close() {
        FullRecorder recorder = current;
        if (recorder != null) {
            recorder.close();
        }
    }

    /** The observer of one event loop. Used only on that loop. */
    private final class OfLoop implements ExchangeObserver, ExchangeTap.Source {
        private final Loop loop;
        private @Nullable FullRecorder used;
        private FullRecorder.@Nullable OfLoop recorder;

        OfLoop(Loop loop) {
            this.loop = loop;
        }

        private FullRecorder.@Nullable OfLoop recorder() {
            FullRecorder now = current;
            if (now != used) {
                used = now;
                recorder = now == null ? null : now.onLoop(loop);
            }
            return recorder;
        }

        @Override
        public ExchangeTap.Source taps() {
            return this;
        }

        @Override
        public ExchangeTap tap(ExchangeRecord exchange, Ingress client) {
            FullRecorder.OfLoop own = recorder();
            return own == null ? ExchangeTap.NONE : own.tap(exchange, client);
        }

        @Override
        public void onClosed(Exchange exchange) {
            FullRecorder.OfLoop own = recorder();
            if (own != null) {
                own.onClosed(exchange);
            } else if (exchange.record().tap() instanceof ExchangeCapture capture) {
                capture.drop();
            }
        }
    }
}
