package dev.lychgate.server.otlp;

import dev.lychgate.config.TracingConfig;
import dev.lychgate.server.logwriter.LogOutput;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.metrics.Losses.Kind;
import dev.lychgate.server.push.HttpPush;
import dev.lychgate.server.push.PushCounts;
import dev.lychgate.server.push.PushTarget;
import dev.lychgate.server.push.Sender;
import dev.lychgate.server.recorder.RecordedExchange;
import dev.lychgate.server.recorder.RecordedExchange.RecordedCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Sends the spans of recorded exchanges to a collector, in batches of some hundred spans. A span waits at most a second
 * for the rest of its batch. Only the recorder's thread uses the batch.
 */
public final class SpanExport implements LogOutput<RecordedExchange> {
    private static final int BATCH = 512;
    private static final long LONGEST_WAIT = Duration.ofSeconds(1).toNanos();

    /** Approximate size of a span in the queue, in bytes. */
    private static final long SPAN_BYTES = 1024;

    private final HttpPush push;
    private final String service;
    private final Sender sender;
    private final List<RecordedExchange> batch = new ArrayList<>();
    private int spans;
    private long since;

    private SpanExport(HttpPush push, String service, Sender sender) {
        this.push = push;
        this.service = service;
        this.sender = sender;
    }

    /**
     * Starts the export of recorded exchanges.
     *
     * @param headers returns the header fields of the generation in force
     */
    public static SpanExport start(
            TracingConfig.Otlp to, String service, Sender sender, Supplier<Map<String, String>> headers) {
        PushTarget target = new PushTarget(
                to.url(),
                headers,
                "application/x-protobuf",
                to.timeout(),
                to.queue() * SPAN_BYTES,
                PushTarget.USUAL_PATIENCE,
                true,
                null);
        return new SpanExport(HttpPush.start("spans", target), service, sender);
    }

    @Override
    public void write(RecordedExchange exchange) {
        if (exchange.trace() == null || !exchange.trace().sampled()) {
            return;
        }
        if (batch.isEmpty()) {
            since = System.nanoTime();
        }
        batch.add(exchange);
        spans += 1 + exchange.attempts().size();
        for (RecordedCall call : exchange.calls()) {
            spans += 1 + call.attempts().size();
        }
        if (spans >= BATCH) {
            send();
        }
    }

    @Override
    public void look() {
        if (!batch.isEmpty() && System.nanoTime() - since >= LONGEST_WAIT) {
            send();
        }
    }

    private void send() {
        push.offer(Spans.request(batch, service, sender), spans);
        batch.clear();
        spans = 0;
    }

    /** Exposes the numbers of sent spans, lost spans and failed requests. */
    public void showIn(GatewayMetrics metrics) {
        metrics.push("spans", push, counts -> show(counts, metrics));
    }

    private static void show(PushCounts push, GatewayMetrics metrics) {
        metrics.counter("lychgate.spans.sent", "Spans that the collector accepted", push::delivered);
        String dropped = "Spans that were lost before the collector received them";
        metrics.loss(Kind.RECEIVER, "spans", "lychgate.spans.dropped", dropped, push::dropped);
        String failed = "Failed requests to the collector of spans";
        metrics.loss(Kind.RECEIVER, "spans", "lychgate.spans.failures", failed, push::failedTries);
    }

    /** Sends all spans that were not sent yet. Spans that are not sent within five seconds are lost. */
    @Override
    public void close() {
        if (!batch.isEmpty()) {
            send();
        }
        push.close();
    }
}
