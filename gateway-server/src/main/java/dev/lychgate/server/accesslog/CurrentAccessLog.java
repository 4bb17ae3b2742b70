package dev.lychgate.server.accesslog;

import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.LoopBarrier;
import dev.lychgate.server.history.EntryReceiver;
import dev.lychgate.server.metrics.GatewayMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The access log of a gateway, which can be opened, replaced and closed while exchanges end. No line is lost by a
 * change. Thread-safe.
 */
public final class CurrentAccessLog implements ExchangeObserver, AutoCloseable {
    private final LoopBarrier loops = new LoopBarrier();
    private volatile @Nullable AccessLog current;
    private volatile @Nullable GatewayMetrics metrics;
    private boolean shown;
    /** The replaced logs that are not closed yet. */
    private final List<AccessLog> ending = new ArrayList<>();

    private long written;
    private long dropped;
    private long failedCompressions;

    /** @param first the log at the start; null if the log is off */
    public CurrentAccessLog(@Nullable AccessLog first) {
        this.current = first;
    }

    @Override
    public ExchangeObserver onLoop(Loop loop) {
        loops.add(loop);
        SplittableRandom random = loop.random();
        return exchange -> {
            AccessLog log = current;
            if (log != null) {
                log.onClosed(exchange, random);
            }
        };
    }

    /** @throws IllegalStateException always, because each event loop has its own observer ({@link #onLoop}) */
    @Override
    public void onClosed(Exchange exchange) {
        throw new IllegalStateException("the access log has a separate observer for each event loop; use onLoop");
    }

    /**
     * Replaces the log.
     *
     * @param next receives the exchanges that end from now on; null if the log is off
     * @return a task that closes the replaced log after its last line; the task blocks for some seconds at most
     */
    public Runnable use(@Nullable AccessLog next) {
        AccessLog before;
        synchronized (ending) {
            before = current;
            current = next;
            if (before != null) {
                ending.add(before);
            }
        }
        show();
        return before == null ? () -> {} : () -> end(before);
    }

    private void end(AccessLog before) {
        // An event loop may have read the reference to the replaced log, and may be about to offer a record.
        loops.await();
        before.close();
        synchronized (ending) {
            ending.remove(before);
            written += before.written();
            dropped += before.dropped();
            failedCompressions += before.failedCompressions();
        }
    }

    private long sum(long past, ToLongFunction<AccessLog> count) {
        AccessLog log = current;
        return past + ending.stream().mapToLong(count).sum() + (log == null ? 0 : count.applyAsLong(log));
    }

    private long written() {
        synchronized (ending) {
            return sum(written, AccessLog::written);
        }
    }

    private long dropped() {
        synchronized (ending) {
            return sum(dropped, AccessLog::dropped);
        }
    }

    private long failedCompressions() {
        synchronized (ending) {
            return sum(failedCompressions, AccessLog::failedCompressions);
        }
    }

    /** Registers the metrics of the log as soon as there is a log. The counts continue when the log is replaced. */
    public void showIn(GatewayMetrics registry) {
        metrics = registry;
        show();
    }

    private void show() {
        GatewayMetrics registry = metrics;
        AccessLog log = current;
        if (registry == null || log == null) {
            return;
        }
        if (!shown) {
            shown = true;
            AccessLog.show(registry, this::written, this::dropped, this::failedCompressions);
        }
        log.showCollector(registry);
    }

    /** Returns a receiver that logs each entry of the change history while there is a log. */
    public EntryReceiver changes() {
        return new LoggedChanges(item -> {
            AccessLog log = current;
            if (log != null) {
                log.offer(item);
            }
        });
    }

    /** Reopens the file by name. No line is lost. */
    public void reopen() {
        AccessLog log = current;
        if (log != null) {
            log.reopen();
        }
    }

    /** Writes queued lines and closes the log. Called after the last exchange has ended. */
    @Override
    public void close() {
        AccessLog log = current;
        if (log != null) {
            log.close();
        }
    }
}
