package dev.lychgate;

import static dev.lychgate.server.metrics.Losses.Kind.LOG;
import static dev.lychgate.server.metrics.Losses.Kind.MEMORY;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.HistoryConfig;
import dev.lychgate.config.HistoryOtlpConfig;
import dev.lychgate.config.MirrorConfig;
import dev.lychgate.config.RecordConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.TracingConfig;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.generation.Generation;
import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.server.accesslog.AccessLog;
import dev.lychgate.server.accesslog.CurrentAccessLog;
import dev.lychgate.server.admin.ProcessChanges;
import dev.lychgate.server.applog.OwnLogback;
import dev.lychgate.server.errorlog.ErrorLog;
import dev.lychgate.server.history.EntryReceiver;
import dev.lychgate.server.metrics.DurationBuckets;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.metrics.GuardedObservers;
import dev.lychgate.server.metrics.Losses;
import dev.lychgate.server.metrics.MirrorTallies;
import dev.lychgate.server.mirror.MirrorBook;
import dev.lychgate.server.mirror.MirrorObserver;
import dev.lychgate.server.otlp.ChangeEvents;
import dev.lychgate.server.otlp.CurrentSpanExport;
import dev.lychgate.server.otlp.SpanExport;
import dev.lychgate.server.push.Sender;
import dev.lychgate.server.recorder.ExchangeRecorder;
import dev.lychgate.server.recorder.RecentExchanges;
import dev.lychgate.server.recorder.SlowLog;
import dev.lychgate.server.recording.CurrentRecording;
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
    private final CurrentAccessLog accessLog;
    private final Supplier<Sender> sender = Sender.starting();
    private final RecentExchanges recent;
    private final EndingParts ending = new EndingParts();
    private final CurrentSpanExport spans;
    private final @Nullable SpanExport firstSpans;
    private final ExchangeRecorder recorder;
    private final CurrentRecording recording;
    private final RolloutMeter rollout = new RolloutMeter();
    private final MirrorObserver mirrors;
    private final GuardedObservers observers;
    private @Nullable AutoCloseable jmx;
    private @Nullable Registries registries;

    private Telemetry(GatewayConfig config) {
        this.config = config;
        this.current = config;
        // Opened first. If opening fails, no threads exist yet that would have to be stopped.
        this.accessLog = new CurrentAccessLog(openLog(config));
        this.recording = startRecording(config.recording());
        this.metrics = new GatewayMetrics(new DurationBuckets(config.metrics().buckets()));
        this.recent = new RecentExchanges(config.recorder().keep());
        this.firstSpans = startSpans(config);
        this.spans = new CurrentSpanExport(firstSpans, ending);
        SlowLog slow = new SlowLog(() -> current.recorder().log());
        this.recorder = ExchangeRecorder.start(List.of(recent, slow, spans));
        List<ExchangeObserver> all = new ArrayList<>(List.of(metrics, accessLog));
        all.add(new ErrorLog());
        all.add(recorder);
        all.add(rollout);
        all.add(recording);
        this.mirrors = new MirrorObserver(metrics.mirrors());
        this.observers = new GuardedObservers(all, mirrors::onMirrored);
    }

    private @Nullable AccessLog openLog(GatewayConfig of) {
        return of.accessLog().isOff() ? null : AccessLog.open(of.accessLog(), () -> current.accessLog());
    }

    private @Nullable SpanExport startSpans(GatewayConfig of) {
        TracingConfig tracing = of.tracing();
        TracingConfig.Otlp otlp = tracing == null ? null : tracing.otlp();
        return tracing == null || otlp == null
                ? null
                : SpanExport.start(otlp, tracing.service(), sender.get(), () -> spanHeaders(otlp));
    }

    private CurrentRecording startRecording(@Nullable RecordConfig settings) {
        try {
            return CurrentRecording.start(settings);
        } catch (RuntimeException e) {
            accessLog.close();
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
        return recording.search();
    }

    /**
     * Returns the receivers to which a history sends its entries. The caller must close the receivers before it closes
     * this object.
     */
    List<EntryReceiver> receivers(HistoryConfig history) {
        List<EntryReceiver> receivers = new ArrayList<>();
        if (history.accessLog()) {
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
        // Another receiver must not get the new credentials.
        return (now == null || !now.url().equals(atStart.url()) ? atStart : now).headers();
    }

    private Map<String, String> changeHeaders(HistoryOtlpConfig atStart) {
        HistoryConfig history = current.lifecycle().history();
        HistoryOtlpConfig now = history == null ? null : history.otlp();
        return (now == null ? atStart : now).headers();
    }

    /** Returns the executor that closes parts of the gateway that were replaced. */
    EndingParts ending() {
        return ending;
    }

    /**
     * Uses the settings of a promoted candidate from now on. The candidate does not differ in the settings of the
     * process. Thread-safe.
     */
    void use(GatewayConfig inForce) {
        current = inForce;
    }

    /**
     * Opens the parts that {@code changed} adds or replaces. Nothing else changes before {@link Change#commit}.
     *
     * @throws ConfigException if the access log can't be written; in this case, nothing changes
     */
    Change prepare(GatewayConfig changed, ProcessChanges changes) {
        return new Change(changed, changes);
    }

    /** The next telemetry. */
    final class Change implements AutoCloseable {
        private final GatewayConfig changed;
        private final ProcessChanges changes;
        private @Nullable AccessLog log;
        private @Nullable SpanExport export;
        private @Nullable FullRecorder recorder;

        private Change(GatewayConfig changed, ProcessChanges changes) {
            this.changed = changed;
            this.changes = changes;
            try {
                this.log = changes.touch("access-log") ? openLog(changed) : null;
            } catch (StartFailure e) {
                throw new ConfigException("access-log", "changed", String.valueOf(e.getMessage()), e);
            }
            try {
                this.recorder = changes.touch("record") ? recording.prepare(changed.recording()) : null;
            } catch (StartFailure e) {
                close();
                throw new ConfigException("record", "changed", String.valueOf(e.getMessage()), e);
            }
            this.export = changes.touchSpans() ? startSpans(changed) : null;
        }

        /** Uses the changed settings. Replaced parts write and send their data on another thread, and then end. */
        void commit() {
            current = changed;
            if (changes.touch("access-log")) {
                ending.execute(accessLog.use(log));
                log = null;
            }
            if (changes.touchSpans()) {
                if (export != null) {
                    export.showIn(metrics);
                }
                spans.use(export);
                export = null;
            }
            if (changes.touch("record")) {
                recording.use(changed.recording(), recorder);
                recorder = null;
            }
            if (changes.touch("recorder.keep")) {
                recent.keep(changed.recorder().keep());
            }
            if (changes.touch("metrics.buckets")) {
                metrics.use(new DurationBuckets(changed.metrics().buckets()));
            }
            useRegistries(changes);
        }

        /** Closes the opened parts, which are not in use. Has no effect after {@link #commit}. */
        @Override
        public void close() {
            if (log != null) {
                log.close();
            }
            if (export != null) {
                export.close();
            }
            if (recorder != null) {
                recorder.close();
            }
        }
    }

    private void useRegistries(ProcessChanges changes) {
        boolean exposes = current.metrics().jmx();
        AutoCloseable beans = jmx;
        if (exposes && beans == null) {
            jmx = Registries.beans(metrics);
        } else if (!exposes && beans != null) {
            jmx = null;
            ending.end(beans);
        }
        Registries before = registries;
        if (before == null || changes.touch("metrics.opentsdb") || changes.touch("metrics.otlp")) {
            registries = Registries.start(() -> current.metrics(), sender, metrics);
            if (before != null) {
                ending.execute(before::close);
            }
        }
    }

    void reopenLogs() {
        accessLog.reopen();
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
        accessLog.showIn(metrics);
        metrics.counter("lychgate.recorder.recorded", "Exchanges that were recorded or exported", recorder::recorded);
        metrics.counter(
                "lychgate.recorder.skipped",
                "Exchanges that were not recorded because of the limit per second",
                recorder::skipped);
        recording.showIn(metrics);
        if (firstSpans != null) {
            firstSpans.showIn(metrics);
        }
        useRegistries(ProcessChanges.between(config, config));
    }

    /**
     * Writes and sends buffered data, including the last metrics, within seconds. Called after the last exchange has
     * ended.
     */
    @Override
    public void close() {
        recorder.close();
        recording.close();
        mirrors.close();
        accessLog.close();
        if (jmx != null) {
            ending.end(jmx);
        }
        if (registries != null) {
            registries.close();
        }
        ending.close();
        metrics.close();
    }
}
