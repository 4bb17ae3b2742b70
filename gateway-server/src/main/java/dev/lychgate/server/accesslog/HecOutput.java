package dev.lychgate.server.accesslog;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.HecConfig;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.http.Redaction;
import dev.lychgate.server.logwriter.LogOutput;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.metrics.Losses.Kind;
import dev.lychgate.server.push.HttpPush;
import dev.lychgate.server.push.PushCounts;
import dev.lychgate.server.push.PushTarget;
import dev.lychgate.server.push.Sender;
import dev.lychgate.tls.JdkClientTls;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the log to Splunk's HTTP Event Collector in batches. A separate thread sends them, so a slow or unreachable
 * collector delays neither traffic nor the log file. Any thread may read the counts.
 */
final class HecOutput implements LogOutput<LoggedItem> {
    private static final Logger LOG = LoggerFactory.getLogger(HecOutput.class);

    /**
     * Time limit for sending the last events when the log closes. Must be less than the time limit for closing the
     * whole log.
     */
    private static final Duration END = Duration.ofSeconds(3);

    private final HecEvents events;
    private final HttpPush push;
    private final int batch;
    private final long interval;
    private boolean toldOfFault;
    private long firstAt;

    private HecOutput(HecEvents events, HttpPush push, HecConfig config) {
        this.events = events;
        this.push = push;
        this.batch = config.batch().asInt();
        this.interval = config.interval().toNanos();
    }

    /**
     * Starts the output.
     *
     * @param current returns the settings in force, which contain the current token
     * @throws StartFailure if the certificates are not readable
     */
    static HecOutput open(HecConfig config, Redaction redaction, Supplier<@Nullable HecConfig> current) {
        HecEvents events = new HecEvents(config, Sender.hostName(), new JsonLines(redaction));
        PushTarget target = new PushTarget(
                config.endpoint(),
                () -> {
                    HecConfig now = current.get();
                    // Another collector must not get the new token.
                    HecConfig used = now != null && now.endpoint().equals(config.endpoint()) ? now : config;
                    return Map.of("authorization", "Splunk " + used.token());
                },
                "application/json",
                config.timeout(),
                config.queue().bytes(),
                config.patience(),
                config.gzip(),
                trust(config.ca()));
        return new HecOutput(events, HttpPush.start("access-log-hec", target), config);
    }

    private static @Nullable SSLContext trust(@Nullable String ca) {
        try {
            return ca == null ? null : JdkClientTls.of(ca, null);
        } catch (ConfigException e) {
            throw new StartFailure(
                    "access-log.hec." + e.key() + ": " + e.value() + " (expected: " + e.expected() + ")");
        }
    }

    @Override
    public void write(LoggedItem item) {
        try {
            if (events.count() == 0) {
                firstAt = System.nanoTime();
            }
            events.add(item);
        } catch (RuntimeException e) {
            push.lost(1);
            if (!toldOfFault) {
                toldOfFault = true;
                LOG.error("access-log-hec: an event can't be encoded and is lost; further losses are only counted", e);
            }
        }
        if (events.bytes() >= batch) {
            send();
        }
    }

    @Override
    public void look() {
        if (events.count() > 0 && System.nanoTime() - firstAt >= interval) {
            send();
        }
    }

    private void send() {
        int count = events.count();
        // If the queue of the push is full, the push drops the events and counts them.
        push.offer(events.take(), count);
    }

    void showIn(GatewayMetrics metrics) {
        metrics.push("access-log-hec", push, counts -> show(counts, metrics));
    }

    private static void show(PushCounts push, GatewayMetrics metrics) {
        metrics.counter(
                "lychgate.access.log.hec.sent",
                "Events of the access log that the collector accepted",
                push::delivered);
        metrics.loss(
                Kind.RECEIVER,
                "access log HEC",
                "lychgate.access.log.hec.dropped",
                "Events of the access log that were lost before the collector received them",
                push::dropped);
        metrics.loss(
                Kind.RECEIVER,
                "access log HEC",
                "lychgate.access.log.hec.failures",
                "Failed requests to the collector",
                push::failedTries);
        metrics.gauge(
                "lychgate.access.log.hec.waiting",
                "Events of the access log that are queued for the collector",
                push::waiting);
    }

    @Override
    public void close() {
        if (events.count() > 0) {
            send();
        }
        long before = push.droppedItems();
        push.close(END);
        long lost = push.droppedItems() - before;
        if (lost > 0) {
            LOG.warn("access-log-hec: {} events were not sent within {} ms and are lost", lost, END.toMillis());
        }
    }
}
