package dev.lychgate.server.accesslog;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.Quantity;
import dev.lychgate.config.RouteAccessLog;
import dev.lychgate.config.SampleRate;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.http.Redaction;
import dev.lychgate.loop.Loop;
import dev.lychgate.route.Route;
import dev.lychgate.server.history.EntryReceiver;
import dev.lychgate.server.logwriter.LogOutput;
import dev.lychgate.server.logwriter.LogQueue;
import dev.lychgate.server.logwriter.LogWriter;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.metrics.Losses;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line for each completed exchange, or for a sample of the exchanges. The event loop of the exchange offers a
 * small record to a queue, and never waits. If the writer is too slow, lines are dropped and {@linkplain #dropped()
 * counted}. Thread-safe.
 */
public final class AccessLog implements ExchangeObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
    private static final Duration USUAL_END = Duration.ofSeconds(5);

    /**
     * Interval at which the writer polls the queue. Event loops do not wake the writer, because this would take a
     * system call.
     */
    private static final Duration NAP = Duration.ofMillis(10);

    private final LogQueue<LoggedItem> queue;
    private final LogWriter<LoggedItem> writer;
    private final LoggedFields fields;
    private final Sampling sampling;
    private final @Nullable LineOutput lines;
    private final @Nullable HecOutput hec;

    private AccessLog(
            LogQueue<LoggedItem> queue, AccessLogConfig config, @Nullable LineOutput lines, @Nullable HecOutput hec) {
        this.queue = queue;
        this.fields = new LoggedFields(config.headers(), new Redaction(config.redact()));
        this.sampling = new Sampling(config.sample());
        this.lines = lines;
        this.hec = hec;
        List<LogOutput<LoggedItem>> outputs = new ArrayList<>();
        if (lines != null) {
            outputs.add(lines);
        }
        if (hec != null) {
            outputs.add(hec);
        }
        this.writer = new LogWriter<>("access log", queue, List.copyOf(outputs), NAP);
    }

    /**
     * Opens the log and starts its writer.
     *
     * @param config format and destination; must not be {@linkplain AccessLogConfig#isOff() off}
     * @throws StartFailure if the file can't be written, or the collector's certificates can't be read
     */
    public static AccessLog open(AccessLogConfig config) {
        return open(config, () -> config);
    }

    /**
     * Opens the log like {@link #open(AccessLogConfig)}, for a collector whose token may change while the log is open.
     *
     * @param current returns the settings in force, which contain the current token of the collector
     */
    public static AccessLog open(AccessLogConfig config, Supplier<AccessLogConfig> current) {
        if (config.isOff()) {
            throw new IllegalArgumentException("the access log is off");
        }
        Redaction redaction = new Redaction(config.redact());
        LineFormat format = switch (config.format()) {
            case JSON -> new JsonLines(redaction);
            case COMBINED -> new CombinedLines(ZoneId.systemDefault(), redaction);
            case OFF -> null;
        };
        return open(config, format, format == null ? null : sink(config), current);
    }

    private static LineSink sink(AccessLogConfig config) {
        String file = config.file();
        return file == null
                ? LineSink.standardOutput()
                : FileSink.open(file, config.roll(), Clock.system(ZoneId.systemDefault()));
    }

    /** Opens the log with the given format and sink. The log writes no lines if the format or the sink is null. */
    static AccessLog open(AccessLogConfig config, @Nullable LineFormat format, @Nullable LineSink sink) {
        return open(config, format, sink, () -> config);
    }

    private static AccessLog open(
            AccessLogConfig config,
            @Nullable LineFormat format,
            @Nullable LineSink sink,
            Supplier<AccessLogConfig> current) {
        LogQueue<LoggedItem> queue = new LogQueue<>(config.queue());
        LineOutput lines = format == null || sink == null ? null : new LineOutput(format, sink, queue);
        HecOutput hec;
        try {
            hec = config.hec() == null
                    ? null
                    : HecOutput.open(
                            config.hec(),
                            new Redaction(config.redact()),
                            () -> current.get().hec());
        } catch (RuntimeException e) {
            if (lines != null) {
                lines.close();
            }
            throw e;
        }
        AccessLog log = new AccessLog(queue, config, lines, hec);
        log.writer.start();
        return log;
    }

    @Override
    public ExchangeObserver onLoop(Loop loop) {
        SplittableRandom random = loop.random();
        return exchange -> onClosed(exchange, random);
    }

    /**
     * @throws IllegalStateException always, because each event loop has its own observer ({@link #onLoop}), which
     *     samples with the loop's random generator
     */
    @Override
    public void onClosed(Exchange exchange) {
        throw new IllegalStateException("the access log has a separate observer for each event loop; use onLoop");
    }

    /** @param random the generator of the exchange's event loop */
    void onClosed(Exchange exchange, SplittableRandom random) {
        double share = sampling.share(exchange.record(), random);
        if (share > 0) {
            queue.offer(AccessRecord.of(exchange, System.currentTimeMillis(), fields, share));
        }
    }

    /** Adds an item to the queue of the log. The item belongs to no exchange. */
    void offer(LoggedItem item) {
        queue.offer(item);
    }

    /** Returns a receiver that logs each entry of the change history, as a line or as an event. */
    public EntryReceiver changes() {
        return new LoggedChanges(this::offer);
    }

    /**
     * Returns the number of lines that were not written because the queue was full, or because the log was closed
     * before the queue was empty.
     */
    long dropped() {
        // After the queue was abandoned, lines that the writer has formatted but not written count as dropped, because
        // close() no longer waits for them.
        return queue.dropped() + (lines != null && queue.isAbandoned() ? lines.waiting() : 0);
    }

    /** Returns the number of lines that were passed to the file or stream. */
    long written() {
        return lines == null ? 0 : lines.written();
    }

    static void show(
            GatewayMetrics metrics, LongSupplier written, LongSupplier dropped, LongSupplier failedCompressions) {
        metrics.counter("lychgate.access.log.written", "Lines written to the access log", written);
        metrics.loss(
                Losses.Kind.LOG,
                "access log",
                "lychgate.access.log.dropped",
                "Lines missing from the access log, because its writer was too slow or failed",
                dropped);
        metrics.counter(
                "lychgate.access.log.failed.compressions",
                "Rolled files of the access log that could not be compressed",
                failedCompressions);
    }

    /** Registers the metrics of the collector, if one is configured. */
    void showCollector(GatewayMetrics metrics) {
        if (hec != null) {
            hec.showIn(metrics);
        }
    }

    /** Returns the number of rolled files that could not be compressed. */
    long failedCompressions() {
        return lines == null ? 0 : lines.failedCompressions();
    }

    /** Reopens the file by name, on the writer thread. No line is lost. */
    public void reopen() {
        writer.reopen();
    }

    /** Writes queued lines and closes the log. Lines that remain after {@code within} are dropped. */
    public void close(Duration within) {
        if (!writer.stop(within)) {
            queue.abandon();
            LOG.warn(
                    "access log: not all queued lines were written within {} ms; dropped since the start: {}",
                    within.toMillis(),
                    Quantity.of(dropped(), "line"));
        }
    }

    /** Calls {@link #close(Duration)} with five seconds. */
    @Override
    public void close() {
        close(USUAL_END);
    }

    /**
     * Decides whether an exchange is logged. If the route's log is off, no exchange is logged. Otherwise, failed
     * exchanges are always logged, and other exchanges are logged with a probability that equals the sampling fraction.
     */
    private static final class Sampling {
        private final double usual;

        /** @param usual the sampling fraction for routes that configure none */
        Sampling(SampleRate usual) {
            this.usual = usual.fraction();
        }

        /**
         * Decides whether a completed exchange is logged.
         *
         * @param random the generator of the exchange's event loop
         * @return 0 if the exchange is not logged; otherwise the probability, at most 1, with which it was selected
         */
        double share(ExchangeRecord record, SplittableRandom random) {
            Route route = record.route();
            RouteAccessLog own = route == null ? null : route.config().accessLog();
            if (own instanceof RouteAccessLog.Off) {
                return 0;
            }
            double share =
                    own instanceof RouteAccessLog.Sampled of ? of.sample().fraction() : usual;
            if (share >= 1 || hasFailed(record)) {
                return 1;
            }
            return random.nextDouble() < share ? share : 0;
        }

        /** Returns whether an exchange has failed, even if a fallback has hidden the failure from the client. */
        private static boolean hasFailed(ExchangeRecord record) {
            return record.status() >= 500 || record.error() != null || record.fellBack();
        }
    }
}
