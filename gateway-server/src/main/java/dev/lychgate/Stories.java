package dev.lychgate;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.TracingConfig;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.otlp.SpanExport;
import dev.lychgate.server.push.Sender;
import dev.lychgate.server.recorder.ExchangeRecorder;
import dev.lychgate.server.recorder.RecentExchanges;
import dev.lychgate.server.recorder.RecordedSink;
import dev.lychgate.server.recorder.SlowLog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The recorder of exchanges and whoever hears of it, from start to stop. */
final class Stories implements AutoCloseable {
    private final RecentExchanges recent;
    private final @Nullable SpanExport spans;
    private final ExchangeRecorder recorder;

    private Stories(RecentExchanges recent, @Nullable SpanExport spans, List<RecordedSink> sinks) {
        this.recent = recent;
        this.spans = spans;
        this.recorder = ExchangeRecorder.start(sinks);
    }

    static Stories start(GatewayConfig config, Supplier<Sender> sender) {
        List<RecordedSink> sinks = new ArrayList<>();
        RecentExchanges recent = new RecentExchanges(config.recorder().keep());
        sinks.add(recent);
        if (config.recorder().log()) {
            sinks.add(new SlowLog());
        }
        TracingConfig tracing = config.tracing();
        TracingConfig.Otlp otlp = tracing == null ? null : tracing.otlp();
        SpanExport spans = null;
        if (tracing != null && otlp != null) {
            spans = SpanExport.start(otlp, tracing.service(), sender.get());
            sinks.add(spans);
        }
        return new Stories(recent, spans, sinks);
    }

    ExchangeObserver observer() {
        return recorder;
    }

    /** Those that are kept. */
    RecentExchanges recent() {
        return recent;
    }

    void count(GatewayMetrics metrics) {
        metrics.counter("lychgate.recorder.recorded", "Exchanges whose story was kept or sent on", recorder::recorded);
        metrics.counter(
                "lychgate.recorder.skipped",
                "Exchanges with something to tell whose story was not kept, as there were too many",
                recorder::skipped);
        SpanExport export = spans;
        if (export != null) {
            metrics.counter("lychgate.spans.sent", "Spans that the collector has taken", export::sent);
            metrics.counter("lychgate.spans.dropped", "Spans that the collector never will have", export::dropped);
        }
    }

    @Override
    public void close() {
        recorder.close();
        if (spans != null) {
            spans.close();
        }
    }
}
