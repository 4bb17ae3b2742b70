package dev.lychgate.server.accesslog;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.gateway.StartFailure;
import java.time.Duration;
import java.time.ZoneId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line for every exchange that ends. On the event loop this costs a small copy and an offer to a queue; it never
 * waits. If the writer can't keep up, lines are dropped and {@linkplain #dropped() counted}. Any thread.
 */
public final class AccessLog implements ExchangeObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
    private static final Duration USUAL_END = Duration.ofSeconds(5);

    private final AccessLogQueue queue;
    private final AccessLogWriter writer;

    private AccessLog(int capacity, LineFormat format, LineSink sink) {
        this.queue = new AccessLogQueue(capacity);
        this.writer = new AccessLogWriter(queue, format, sink);
    }

    /**
     * Opens the log and starts its writer.
     *
     * @param config what and where; not {@link AccessLogConfig.Format#OFF}, which is to have none
     * @throws StartFailure if its file can't be written
     */
    public static AccessLog open(AccessLogConfig config) {
        LineFormat format = switch (config.format()) {
            case JSON -> new JsonLines();
            case COMBINED -> new CombinedLines(ZoneId.systemDefault());
            case OFF -> throw new IllegalArgumentException("no access log is wanted");
        };
        return open(config.queue(), format, LogbackSink.open(config.file()));
    }

    static AccessLog open(int capacity, LineFormat format, LineSink sink) {
        AccessLog log = new AccessLog(capacity, format, sink);
        log.writer.start();
        return log;
    }

    @Override
    public void onClosed(Exchange exchange) {
        queue.offer(AccessRecord.of(exchange, System.currentTimeMillis()));
    }

    /** Offers a record that no exchange stands behind. */
    void offer(AccessRecord record) {
        queue.offer(record);
    }

    /** Lines that were not written because the queue was full, or because the log was closed before it was empty. */
    public long dropped() {
        return queue.dropped();
    }

    /** Lines handed to the file or stream. */
    public long written() {
        return writer.written();
    }

    /** Writes what waits and closes the log. @param within how long that may take; the rest is dropped */
    public void close(Duration within) {
        if (!writer.stop(within)) {
            queue.abandon();
            LOG.warn("the access log could not be written to its end within {}: {} lines dropped", within, dropped());
        }
    }

    /** As {@link #close(Duration)}, within five seconds. */
    @Override
    public void close() {
        close(USUAL_END);
    }
}
