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
 * Records exchanges that have something to tell. On the event loop this costs two comparisons for those that have not, and a
 * copy for those that have: of the slow and the failed no more than a {@link RecordingQuota} permits, so that a storm of
 * failures is not made worse by being written down. Everything else happens on a thread of its own.
 */
public final class ExchangeRecorder implements ExchangeObserver, AutoCloseable {
    private static final int QUEUE = 8192;
    private static final Duration NAP = Duration.ofMillis(100);

    /** An output may wait for its receiver for some seconds of it. */
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

    /** Starts its thread. @param outputs get each recorded exchange, in this order; they may work, but not wait */
    public static ExchangeRecorder start(List<LogOutput<RecordedExchange>> outputs) {
        ExchangeRecorder recorder = new ExchangeRecorder(outputs);
        recorder.writer.start();
        return recorder;
    }

    @Override
    public ExchangeObserver onLoop(Loop loop) {
        return new OfLoop(loop);
    }

    /** @throws IllegalStateException always: only the parts of the loops are told */
    @Override
    public void onClosed(Exchange exchange) {
        throw new IllegalStateException("the recorder counts per loop; ask onLoop");
    }

    /** Exchanges whose story is kept, or was, or has been sent on. */
    public long recorded() {
        return recorded.sum();
    }

    /** Exchanges that had something to tell, which nobody had the time to hear. */
    public long skipped() {
        return skipped.sum() + queue.dropped();
    }

    /** Hands on what waits, and ends; within seconds. */
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

    /** The part of one event loop, used on that loop alone. */
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
            // How many of these there are was decided when they were chosen.
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
