package dev.lychgate.server.yaml;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.FilterGuard;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.LifecycleConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.LogConfig;
import dev.lychgate.config.MetricsConfig;
import dev.lychgate.config.RecorderConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.SheddingConfig;
import dev.lychgate.config.StallConfig;
import dev.lychgate.config.TelemetryConfig;
import dev.lychgate.config.TraceConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the top level of the file. */
final class GatewayReader {
    private static final BindAddress ANYWHERE = new BindAddress("127.0.0.1", 0);
    private static final GatewayConfig NONE = new GatewayConfig(
            0,
            Transport.AUTO,
            GatewayConfig.DEFAULT_DRAIN,
            List.of(ListenerConfig.of("unnamed", ANYWHERE)),
            List.of(),
            Map.of(),
            null,
            AccessLogConfig.DEFAULT);

    private final Reading reading;
    private final CrossReferences references = new CrossReferences();

    GatewayReader(Reading reading) {
        this.reading = reading;
    }

    GatewayConfig read(Element root) {
        return root.section(s -> s.build(() -> gateway(s), NONE));
    }

    private GatewayConfig gateway(Section s) {
        int workers = workers(s.get("workers"));
        Transport transport = s.get("transport").choice(Transport.AUTO, Transport.values());
        Duration drain = s.get("drain")
                .section(GatewayConfig.DEFAULT_DRAIN, d -> d.duration("timeout", GatewayConfig.DEFAULT_DRAIN));
        List<ListenerConfig> listeners = listeners(s);
        List<RouteConfig> routes = s.get("routes").list("routes", new RouteReader(references)::read);
        Map<String, UpstreamConfig> upstreams =
                s.get("upstreams").named("upstreams", new UpstreamReader(new TlsReader(reading.file))::read);
        @Nullable AdminConfig admin = new AdminReader(reading.file).read(s.get("admin"));
        AccessLogConfig accessLog =
                s.get("access-log").section(AccessLogConfig.DEFAULT, new LogReader(reading.file)::accessLog);
        FiltersConfig filters = s.get("filters").section(FiltersConfig.DEFAULT, this::filters);
        @Nullable SheddingConfig shedding = s.get("shedding").sectionOrNull(ProtectionReader::shedding);
        TelemetryConfig telemetry = new TelemetryConfig(
                s.get("log").section(LogConfig.DEFAULT, LogReader::log),
                s.get("metrics").section(MetricsConfig.DEFAULT, MetricsReader::read),
                s.get("recorder").section(RecorderConfig.DEFAULT, GatewayReader::recorder),
                s.get("tracing").sectionOrNull(TracingReader::read));
        LifecycleConfig lifecycle = new LifecycleConfig(
                s.get("stall").section(StallConfig.DEFAULT, ProtectionReader::stall),
                s.get("watch").choice(LifecycleConfig.DEFAULT.watch(), LifecycleConfig.Watch.values()));
        references.check(upstreams, reading.faults);
        if (!reading.faults.isEmpty()) {
            // What refers to something is in doubt by now; the rest is still to be checked.
            return new GatewayConfig(
                    workers,
                    transport,
                    drain,
                    NONE.listeners(),
                    List.of(),
                    Map.of(),
                    admin,
                    accessLog,
                    filters,
                    shedding,
                    telemetry,
                    lifecycle);
        }
        return new GatewayConfig(
                workers, transport, drain, listeners, routes, upstreams, admin, accessLog, filters, shedding, telemetry,
                lifecycle);
    }

    private List<ListenerConfig> listeners(Section s) {
        Element element = s.required("listeners", "at least one listener");
        List<ListenerConfig> listeners =
                element.list("listeners", new ListenerReader(references, new TlsReader(reading.file))::read);
        if (listeners.isEmpty() && element.isList()) {
            element.refuse("[]", "at least one listener");
        }
        return listeners;
    }

    private static int workers(Element element) {
        // 0 means auto in the record; in the file it would be a riddle.
        int auto = Integer.MIN_VALUE;
        int workers = element.present() ? element.numberOr("auto", auto) : auto;
        if (workers == 0) {
            element.refuse("0", "auto, or 1 to 1024");
        }
        return workers == auto ? 0 : workers;
    }

    private static RecorderConfig recorder(Section s) {
        RecorderConfig d = RecorderConfig.DEFAULT;
        return s.build(
                () -> new RecorderConfig(
                        s.duration("slow", d.slow()), s.number("keep", d.keep()), s.flag("log", d.log())),
                d);
    }

    private FiltersConfig filters(Section s) {
        FiltersConfig d = FiltersConfig.DEFAULT;
        return s.build(
                () -> new FiltersConfig(
                        directory(s.get("directory")),
                        FilterReader.list(s.get("global")),
                        s.get("guard").section(d.guard(), GatewayReader::guard),
                        s.get("trace").section(d.trace(), GatewayReader::trace),
                        s.duration("build-timeout", d.buildTimeout())),
                d);
    }

    /** Whoever starts the gateway elsewhere still means the directory beside the file. */
    private @Nullable String directory(Element element) {
        return element.present()
                ? element.parsed(
                        ".",
                        text -> text.isBlank()
                                ? text
                                : Path.of(reading.file).resolveSibling(text).toString())
                : null;
    }

    private static FilterGuard guard(Section s) {
        FilterGuard d = FilterGuard.DEFAULT;
        return s.build(
                () -> new FilterGuard(
                        s.get("action").choice(d.action(), FilterGuard.Action.values()),
                        s.duration("after", d.after()),
                        s.number("strikes", d.strikes())),
                d);
    }

    private static TraceConfig trace(Section s) {
        TraceConfig d = TraceConfig.OFF;
        return s.build(
                () -> new TraceConfig(
                        s.get("header").text(d.header()),
                        s.get("secret").secretOrNull(),
                        RouteReader.requests(s.get("match")),
                        s.flag("respond", d.respond())),
                d);
    }
}
