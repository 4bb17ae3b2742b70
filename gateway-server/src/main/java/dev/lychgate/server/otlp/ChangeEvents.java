package dev.lychgate.server.otlp;

import dev.lychgate.config.HistoryOtlpConfig;
import dev.lychgate.server.history.Entry;
import dev.lychgate.server.history.EntryReceiver;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.metrics.Losses.Kind;
import dev.lychgate.server.push.HttpPush;
import dev.lychgate.server.push.PushTarget;
import dev.lychgate.server.push.Sender;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Sends the entries of the history to a collector as events, one at a time and in their order. A separate thread sends
 * them, so that a slow or unreachable collector does not delay changes. Thread-safe.
 */
public final class ChangeEvents implements EntryReceiver {
    private static final long QUEUE_BYTES = 4 << 20;
    private static final Duration END = Duration.ofSeconds(3);

    private final HttpPush push;
    private final String service;
    private final Sender sender;

    private ChangeEvents(HttpPush push, String service, Sender sender) {
        this.push = push;
        this.service = service;
        this.sender = sender;
    }

    /**
     * Starts the export with the same header fields for all entries.
     *
     * @param service {@code service.name}
     */
    public static ChangeEvents start(HistoryOtlpConfig to, String service, Sender sender) {
        return start(to, service, sender, to::headers);
    }

    /**
     * Starts the export.
     *
     * @param headers returns the header fields of the generation in force
     */
    public static ChangeEvents start(
            HistoryOtlpConfig to, String service, Sender sender, Supplier<Map<String, String>> headers) {
        PushTarget target = new PushTarget(
                to.url(), headers, "application/x-protobuf", to.timeout(), QUEUE_BYTES, to.patience(), true, null);
        return new ChangeEvents(HttpPush.start("history-otlp", target), service, sender);
    }

    @Override
    public void send(Entry entry) {
        ProtoMessage event = ChangeEvent.of(entry, Instant.now());
        push.offer(OtlpRequest.of(sender.resource(service), sender.version(), List.of(event)), 1);
    }

    @Override
    public void showIn(GatewayMetrics metrics) {
        metrics.counter(
                "lychgate.history.otlp.sent",
                "Entries of the history of changes that the collector accepted",
                push::deliveredItems);
        metrics.loss(
                Kind.RECEIVER,
                "history OTLP",
                "lychgate.history.otlp.dropped",
                "Entries of the history of changes that were lost before the collector accepted them",
                push::droppedItems);
        metrics.loss(
                Kind.RECEIVER,
                "history OTLP",
                "lychgate.history.otlp.failures",
                "Failed requests to the collector of the history",
                push::failedTries);
    }

    @Override
    public void close() {
        push.close(END);
    }
}
