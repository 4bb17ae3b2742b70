package dev.lychgate.server.recorder;

import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.loop.Loop;
import dev.lychgate.route.Route;
import dev.lychgate.tracing.TraceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records exchanges that have something to tell. On the event loop this costs two comparisons for those that have not, and a
 * copy for those that have: of the slow and the failed no more than a {@link RecordingQuota} permits, so that a storm of
 * failures is not made worse by being written down. Everything else happens on a thread of its own.
 */
public final class ExchangeRecorder implements ExchangeObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExchangeRecorder.class);
    private static final int QUEUE = 8192;
    private static final int BATCH = 1024;
    private static final long NAP = Duration.ofMillis(100).toNanos();
    private static final Duration USUAL_END = Duration.ofSeconds(5);

    private final MpscAtomicArrayQueue<RecordedExchange> queue = new MpscAtomicArrayQueue<>(QUEUE);
    private final LongAdder skipped = new LongAdder();
    private final List<RecordedSink> sinks;
    private final Thread thread = new Thread(this::run, "lychgate-recorder");
    private volatile boolean stopping;
    private volatile long recorded;
    private boolean failed;

    private ExchangeRecorder(List<RecordedSink> sinks) {
        this.sinks = List.copyOf(sinks);
        thread.setDaemon(true);
    }

    /** Starts its thread. @param sinks told of each recorded exchange, in this order */
    public static ExchangeRecorder start(List<RecordedSink> sinks) {
        ExchangeRecorder recorder = new ExchangeRecorder(sinks);
        recorder.thread.start();
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
        return recorded;
    }

    /** Exchanges that had something to tell, which nobody had the time to hear. */
    public long skipped() {
        return skipped.sum();
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

    private void record(Exchange exchange, Reason reason) {
        Instant now = Instant.now();
        long micros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
        if (!queue.offer(RecordedExchange.of(exchange, reason, micros))) {
            skipped.increment();
        }
    }

    // ---- its thread

    private void run() {
        while (true) {
            // Read before the queue: what was offered before the stop is taken.
            boolean last = stopping;
            int taken = queue.drain(this::take, BATCH);
            if (taken < BATCH) {
                tell(last ? RecordedSink::end : RecordedSink::pause);
                if (last) {
                    return;
                }
                LockSupport.parkNanos(NAP);
            }
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, many readers
    private void take(RecordedExchange exchange) {
        recorded++;
        tell(sink -> sink.take(exchange));
    }

    /** One that fails is no concern of the others. */
    private void tell(Consumer<RecordedSink> what) {
        for (RecordedSink sink : sinks) {
            try {
                what.accept(sink);
            } catch (RuntimeException e) {
                failed(sink, e);
            }
        }
    }

    private void failed(RecordedSink sink, RuntimeException cause) {
        if (!failed) {
            failed = true;
            LOG.error("{} failed; it is not told again if it does", sink, cause);
        }
    }

    /** Hands on what waits, and ends. @param within how long that may take */
    public void close(Duration within) {
        stopping = true;
        LockSupport.unpark(thread);
        try {
            thread.join(Math.max(1, within.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As {@link #close(Duration)}, within five seconds. */
    @Override
    public void close() {
        close(USUAL_END);
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
                record(exchange, reason);
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
