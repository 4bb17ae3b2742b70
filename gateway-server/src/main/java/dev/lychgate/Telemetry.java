package dev.lychgate;

import static dev.lychgate.server.metrics.Losses.Kind.LOG;
import static dev.lychgate.server.metrics.Losses.Kind.MEMORY;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.HistoryConfig;
import dev.lychgate.config.HistoryOtlpConfig;
import dev.lychgate.config.MirrorConfig;
import dev.lychgate.config.RecordConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.TracingConfig;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.server.accesslog.AccessLog;
import dev.lychgate.server.applog.OwnLogback;
import dev.lychgate.server.errorlog.ErrorLog;
import dev.lychgate.server.history.EntryReceiver;
import dev.lychgate.server.logwriter.LogOutput;
import dev.lychgate.server.metrics.DurationBuckets;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.metrics.GuardedObservers;
import dev.lychgate.server.metrics.Losses;
import dev.lychgate.server.metrics.MirrorTallies;
import dev.lychgate.server.mirror.MirrorBook;
import dev.lychgate.server.mirror.MirrorObserver;
import dev.lychgate.server.otlp.ChangeEvents;
import dev.lychgate.server.otlp.SpanExport;
import dev.lychgate.server.push.Sender;
import dev.lychgate.server.recorder.ExchangeRecorder;
import dev.lychgate.server.recorder.RecentExchanges;
import dev.lychgate.server.recorder.RecordedExchange;
import dev.lychgate.server.recorder.SlowLog;
import dev.lychgate.server.recording.FullRecorder;
import dev.lychgate.server.recording.RecordingSearch;
import dev.lychgate.server.registries.Registries;
import dev.lychgate.server.rollout.RolloutMeter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The telemetry of a gateway from start to stop: metrics and registries, logs and recorded exchanges. */
final class Telemetry implements AutoCloseable {
    private final GatewayConfig config;
    /** The settings in force. Requests that send telemetry to receivers use the headers from these settings. */
    private volatile GatewayConfig current;

    private final GatewayMetrics metrics;
    private final @Nullable AccessLog accessLog;
    private final Supplier<Sender> sender = Sender.starting();
    private final RecentExchanges recent;
    private final @Nullable SpanExport spans;
    private final ExchangeRecorder recorder;
    private final @Nullable FullRecorder full;
    private final RolloutMeter rollout = new RolloutMeter();
    private final MirrorObserver mirrors;
    private final GuardedObservers observers;
    private @Nullable Registries registries;

    private Telemetry(GatewayConfig config) {
        this.config = config;
        this.current = config;
        // Opened first, because this may fail: no threads to stop exist yet.
        this.accessLog =
                config.accessLog().isOff() ? null : AccessLog.open(config.accessLog(), () -> current.accessLog());
        this.full = startFull(config.recording());
        this.metrics = new GatewayMetrics(new DurationBuckets(config.metrics().buckets()));
        this.recent = new RecentExchanges(config.recorder().keep());
        TracingConfig tracing = config.tracing();
        TracingConfig.Otlp otlp = tracing == null ? null : tracing.otlp();
        this.spans = tracing == null || otlp == null
                ? null
                : SpanExport.start(otlp, tracing.service(), sender.get(), () -> spanHeaders(otlp));
        List<LogOutput<RecordedExchange>> outputs = new ArrayList<>(List.of(recent));
        if (config.recorder().log()) {
            outputs.add(new SlowLog());
        }
        if (spans != null) {
            outputs.add(spans);
        }
        this.recorder = ExchangeRecorder.start(outputs);
        List<ExchangeObserver> all = new ArrayList<>(List.of(metrics));
        if (accessLog != null) {
            all.add(accessLog);
        }
        all.add(new ErrorLog());
        all.add(recorder);
        all.add(rollout);
        if (full != null) {
            all.add(full);
        }
        this.mirrors = new MirrorObserver(metrics.mirrors());
        this.observers = new GuardedObservers(all, mirrors::onMirrored);
    }

    private @Nullable FullRecorder startFull(@Nullable RecordConfig recording) {
        try {
            return recording == null ? null : FullRecorder.start(recording, MemoryBudget.OF_PROCESS);
        } catch (RuntimeException e) {
            if (accessLog != null) {
                accessLog.close();
            }
            throw e;
        }
    }

    /** @throws dev.lychgate.gateway.StartFailure if the access log or the recording can't be written */
    static Telemetry open(GatewayConfig config) {
        return new Telemetry(config);
    }

    /** Returns the object that searches the recording; null if the gateway does not record exchanges. */
    @Nullable
    RecordingSearch recording() {
        RecordConfig recording = config.recording();
        return recording == null ? null : new RecordingSearch(recording);
    }

    /**
     * Returns the receivers to which a history sends its entries. The caller must close the receivers before it closes
     * this object.
     */
    List<EntryReceiver> receivers(HistoryConfig history) {
        List<EntryReceiver> receivers = new ArrayList<>();
        if (history.accessLog() && accessLog != null) {
            receivers.add(accessLog.changes());
        }
        HistoryOtlpConfig otlp = history.otlp();
        if (otlp != null) {
            TracingConfig tracing = config.tracing();
            String service = tracing == null ? TracingConfig.DEFAULT.service() : tracing.service();
            receivers.add(ChangeEvents.start(otlp, service, sender.get(), () -> changeHeaders(otlp)));
        }
        return receivers;
    }

    private Map<String, String> spanHeaders(TracingConfig.Otlp atStart) {
        TracingConfig tracing = current.tracing();
        TracingConfig.Otlp now = tracing == null ? null : tracing.otlp();
        return (now == null ? atStart : now).headers();
    }

    private Map<String, String> changeHeaders(HistoryOtlpConfig atStart) {
        HistoryConfig history = current.lifecycle().history();
        HistoryOtlpConfig now = history == null ? null : history.otlp();
        return (now == null ? atStart : now).headers();
    }

    /** Replaces the settings. Later requests to receivers use the headers from {@code inForce}. Thread-safe. */
    void use(GatewayConfig inForce) {
        current = inForce;
    }

    void reopenLogs() {
        if (accessLog != null) {
            accessLog.reopen();
        }
    }

    GatewayMetrics metrics() {
        return metrics;
    }

    RecentExchanges recent() {
        return recent;
    }

    /** Returns the meter that compares the exchanges of two generations. */
    RolloutMeter rollout() {
        return rollout;
    }

    /** Returns the differences between the responses to copied requests and the responses that clients received. */
    MirrorBook mirrors() {
        return mirrors.book();
    }

    /**
     * Discards the recorded differences of each mirror that neither {@code stable} nor {@code candidate} contains.
     *
     * @param candidate null if there is none
     */
    void retainMirrors(Generation stable, @Nullable Generation candidate) {
        Set<MirrorTallies.Mirror> configured = new HashSet<>();
        for (Generation each : candidate == null ? List.of(stable) : List.of(stable, candidate)) {
            for (RouteConfig route : each.config().routes()) {
                MirrorConfig mirror = route.mirror();
                if (mirror != null) {
                    configured.add(new MirrorTallies.Mirror(route.id(), mirror.upstream()));
                }
            }
        }
        mirrors().retain(configured);
    }

    ExchangeObserver observer() {
        return observers;
    }

    /** Binds the metrics to the running gateway. To be called once. */
    void begin(Gateway gateway) {
        metrics.bind(gateway);
        metrics.gauge(
                "lychgate.loops.stalled",
                "Event loops that are blocked and get no new connections",
                gateway::stalledLoops);
        metrics.counter(
                "lychgate.observer.failures",
                "Failures of the access log or the metrics on an exchange, which are internal errors of the gateway",
                observers::failures);
        Losses losses = metrics.losses();
        MemoryBudget budget = MemoryBudget.OF_PROCESS;
        losses.add(MEMORY, "unfinished messages aborted", "lychgate_memory_reclaimed_total", budget::reclaimed);
        losses.add(MEMORY, "messages refused", "lychgate_memory_refused_total", budget::refused);
        losses.add(MEMORY, "connections closed", "lychgate_buffers_refused_total", Headroom::refused);
        metrics.loss(
                LOG,
                "application log",
                "lychgate.log.dropped",
                "Lines missing from the application log, because standard error was not read or failed",
                OwnLogback::dropped);
        if (accessLog != null) {
            accessLog.showIn(metrics);
        }
        metrics.counter("lychgate.recorder.recorded", "Exchanges that were recorded or exported", recorder::recorded);
        metrics.counter(
                "lychgate.recorder.skipped",
                "Exchanges that were not recorded because of the limit per second",
                recorder::skipped);
        if (full != null) {
            metrics.counter("lychgate.recording.recorded", "Exchanges in the recording", full::recorded);
            metrics.loss(
                    LOG,
                    "recording",
                    "lychgate.recording.dropped",
                    "Selected exchanges that were not recorded for lack of memory, or because the file failed",
                    full::dropped);
        }
        if (spans != null) {
            spans.showIn(metrics);
        }
        registries = Registries.start(() -> current.metrics(), sender, metrics);
    }

    /**
     * Writes and sends buffered data, including the last metrics, within seconds. Called after the last exchange has
     * ended.
     */
    @Override
    public void close() {
        recorder.close();
        if (full != null) {
            full.close();
        }
        mirrors.close();
        if (accessLog != null) {
            accessLog.close();
        }
        if (registries != null) {
            registries.close();
        }
        metrics.close();
    }
}
