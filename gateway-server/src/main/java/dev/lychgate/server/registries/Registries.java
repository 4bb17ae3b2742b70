package dev.lychgate.server.registries;

import dev.lychgate.config.MetricsConfig;
import dev.lychgate.config.MetricsPush;
import dev.lychgate.server.metrics.Figures;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.push.HttpPush;
import dev.lychgate.server.push.PushTarget;
import dev.lychgate.server.push.Sender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The receivers to which a gateway pushes its metrics. */
public final class Registries implements AutoCloseable {
    private final List<AutoCloseable> all = new ArrayList<>();

    private Registries() {}

    /** Shows the metrics as MBeans until the result is closed. */
    public static AutoCloseable beans(GatewayMetrics metrics) {
        return JmxRegistry.start(metrics);
    }

    /**
     * Starts the push of metrics to each configured receiver.
     *
     * @param current returns the settings in force, which contain the header fields of requests
     */
    public static Registries start(Supplier<MetricsConfig> current, Supplier<Sender> sender, GatewayMetrics metrics) {
        Registries registries = new Registries();
        MetricsConfig config = current.get();
        MetricsPush opentsdb = config.opentsdb();
        if (opentsdb != null) {
            registries.all.add(PushingRegistry.start(
                    "opentsdb",
                    opentsdb,
                    headers(opentsdb, () -> current.get().opentsdb()),
                    "application/json",
                    false,
                    metrics,
                    new OpenTsdbWriter(sender.get(), opentsdb.labels())));
        }
        MetricsPush otlp = config.otlp();
        if (otlp != null) {
            registries.all.add(PushingRegistry.start(
                    "otlp",
                    otlp,
                    headers(otlp, () -> current.get().otlp()),
                    "application/x-protobuf",
                    true,
                    metrics,
                    new OtlpWriter(sender.get(), otlp.labels())));
        }
        return registries;
    }

    private static Supplier<Map<String, String>> headers(MetricsPush atStart, Supplier<@Nullable MetricsPush> current) {
        return () -> {
            MetricsPush now = current.get();
            // Another receiver must not get the new credentials.
            return (now == null || !now.url().equals(atStart.url()) ? atStart : now).headers();
        };
    }

    /** Pushes the last values and stops. Takes at most a few seconds, even if receivers do not respond. */
    @Override
    public void close() {
        for (AutoCloseable each : all) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException("closing a registry failed", e);
            }
        }
    }

    /**
     * Pushes metrics to a receiver at regular intervals, and when the registry is closed. The metrics thread encodes
     * the metrics, and the thread of the push sends them. If the receiver is unreachable, the queue occupies memory up
     * to its limit.
     */
    private static final class PushingRegistry implements AutoCloseable {
        private static final Duration LAST_WORD = Duration.ofSeconds(3);
        private static final Duration LAST_FIGURES = Duration.ofSeconds(3);

        private final GatewayMetrics metrics;
        private final HttpPush push;
        private final BiConsumer<Figures, HttpPush> writer;
        private final Future<?> again;

        private PushingRegistry(
                GatewayMetrics metrics, HttpPush push, BiConsumer<Figures, HttpPush> writer, Duration interval) {
            this.metrics = metrics;
            this.push = push;
            this.writer = writer;
            this.again = metrics.every(interval, figures -> writer.accept(figures, push));
        }

        /**
         * @param receiver the name of the receiver, in one word
         * @param writer encodes a snapshot and offers it to the push; runs on the metrics thread
         */
        static PushingRegistry start(
                String receiver,
                MetricsPush config,
                Supplier<Map<String, String>> headers,
                String contentType,
                boolean gzip,
                GatewayMetrics metrics,
                BiConsumer<Figures, HttpPush> writer) {
            HttpPush push = HttpPush.start(
                    receiver,
                    new PushTarget(
                            config.url(),
                            headers,
                            contentType,
                            config.timeout(),
                            config.queue().bytes(),
                            PushTarget.USUAL_PATIENCE,
                            gzip,
                            null));
            metrics.push(receiver, push);
            return new PushingRegistry(metrics, push, writer, config.interval());
        }

        /**
         * Pushes the last values and stops. This takes at most a few seconds; values that are not sent by then are
         * lost.
         */
        @Override
        public void close() {
            again.cancel(false);
            try {
                metrics.take(figures -> writer.accept(figures, push))
                        .get(LAST_FIGURES.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                // This failure is ignored, because only the last values are lost.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            push.close(LAST_WORD);
        }
    }
}
