package dev.lychgate.server.recorder;

import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.loop.Loop;
import dev.lychgate.route.Route;
import dev.lychgate.server.logwriter.LogOutput;
import dev.lychgate.server.logwriter.LogQueue;
import dev.lychgate.server.logwriter.LogWriter;
import dev.lychgate.tracing.TraceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Records failed, slow and sampled exchanges. A recorded exchange costs the event loop a copy; any other exchange costs
 * two comparisons. A {@link RecordingQuota} limits the number of recorded slow and failed exchanges. When many
 * exchanges fail at the same time, recording therefore adds little load. All other work runs on a separate thread.
 */
public final class ExchangeRecorder implements ExchangeObserver, AutoCloseable {
    private static final int QUEUE = 8192;
    private static final Duration NAP = Duration.ofMillis(100);

    /** Time limit for closing. It includes the seconds for which outputs may wait for their receivers. */
    private static final Duration END = Duration.ofSeconds(8);

    private final LogQueue<RecordedExchange> queue = new LogQueue<>(QUEUE);
    private final LogWriter<RecordedExchange> writer;
    private final LongAdder skipped = new LongAdder();
    private final LongAdder recorded = new LongAdder();

    private ExchangeRecorder(List<LogOutput<RecordedExchange>> outputs) {
        List<LogOutput<RecordedExchange>> all = new ArrayList<>(outputs);
        all.add(exchange -> recorded.increment());
        this.writer = new LogWriter<>("recorder", queue, all, NAP);
    }

    /**
     * Starts a recorder with its thread.
     *
     * @param outputs the outputs that receive each recorded exchange, in this order; they must not block
     */
    public static ExchangeRecorder start(List<LogOutput<RecordedExchange>> outputs) {
        ExchangeRecorder recorder = new ExchangeRecorder(outputs);
        recorder.writer.start();
        return recorder;
    }

    @Override
    public ExchangeObserver onLoop(Loop loop) {
        return new OfLoop(loop);
    }

    /** @throws IllegalStateException always, because events go to the observers of the loops */
    @Override
    public void onClosed(Exchange exchange) {
        throw new IllegalStateException("the recorder counts per loop; use onLoop");
    }

    public long recorded() {
        return recorded.sum();
    }

    /** Returns the number of slow or failed exchanges that were not recorded, because of the quota or a full queue. */
    public long skipped() {
        return skipped.sum() + queue.dropped();
    }

    /** Passes the queued exchanges to the outputs and ends, within seconds. */
    @Override
    public void close() {
        if (!writer.stop(END)) {
            queue.abandon();
        }
    }

    private static @Nullable Reason reason(Exchange exchange) {
        ExchangeRecord record = exchange.record();
        GatewayError error = record.error();
        if (error == null ? record.status() >= 500 : error.side() != Side.DOWNSTREAM) {
            return Reason.FAILED;
        }
        boolean slow = record.timeline().delay() >= record.generation().slowAfter();
        if (slow) {
            return Reason.SLOW;
        }
        return isSampled(record.trace()) ? Reason.SAMPLED : null;
    }

    private static boolean isSampled(@Nullable TraceContext trace) {
        return trace != null && trace.sampled();
    }

    /** The observer of one event loop, used only on that loop. */
    private final class OfLoop implements ExchangeObserver {
        private final Loop loop;
        private final RecordingQuota quota = new RecordingQuota();

        OfLoop(Loop loop) {
            this.loop = loop;
        }

        @Override
        public void onClosed(Exchange exchange) {
            Reason reason = reason(exchange);
            if (reason == null) {
                return;
            }
            // The number of sampled exchanges is already limited by the sampling decision.
            if (isSampled(exchange.record().trace()) || isAllowed(exchange, reason)) {
                Instant now = Instant.now();
                long micros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
                queue.offer(RecordedExchange.of(exchange, reason, micros));
            } else {
                skipped.increment();
            }
        }

        private boolean isAllowed(Exchange exchange, Reason reason) {
            ExchangeRecord record = exchange.record();
            Route route = record.route();
            GatewayError error = record.error();
            int what = error == null ? record.status() : error.kind().label().hashCode();
            int kind = 31 * (31 * (route == null ? 0 : route.id().hashCode()) + what)
                    + reason.label().hashCode();
            return quota.tryTake(kind, loop.deadlines().now());
        }
    }
}
