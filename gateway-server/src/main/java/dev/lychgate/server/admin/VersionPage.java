package dev.lychgate.server.admin;

import dev.lychgate.config.TlsProvider;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.metrics.Build;
import dev.lychgate.tls.TlsEngines;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code /version}: the running version and its start time. */
final class VersionPage {
    private static final Instant STARTED =
            Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());

    private static final long PID = ProcessHandle.current().pid();

    /** @param gateway the running gateway; null before it has started */
    record Running(@Nullable Gateway gateway) {}

    private static final Shape<Gateway> GATEWAY = new Shape<Gateway>("RunningGateway")
            .text("transport", "How sockets are read and written: epoll, io_uring or nio.", Gateway::transport)
            .integer("loops", "The number of event loops.", Gateway::workers);

    static final Shape<Running> SHAPE = new Shape<Running>(
                    "Version", "The versions of the gateway and its platform, and the start time.")
            .text("gateway", "The version of the gateway.", it -> Build.OF_PROCESS.version())
            .text("java", "The version of Java.", it -> Build.OF_PROCESS.java())
            .text("jvm", "The name of the JVM.", it -> property("java.vm.name"))
            .text(
                    "os",
                    "The operating system and the processor.",
                    it -> property("os.name") + " " + property("os.arch"))
            .text("netty", "The version of Netty.", it -> Build.OF_PROCESS.netty())
            .includeOptional(GATEWAY, Running::gateway)
            .text(
                    "tls",
                    "The TLS implementation and the reason for its choice.",
                    it -> TlsEngines.explain(TlsProvider.AUTO))
            .integer("pid", "The id of the process.", it -> PID)
            .field("started", Json.TIME, "When the process started.", it -> STARTED)
            .integer("uptime_s", "Seconds since the process started.", it -> uptimeMillis() / 1000);

    private VersionPage() {}

    private static String property(String name) {
        return System.getProperty(name, "");
    }

    /**
     * Returns the uptime that the JVM measures. The time since {@link #STARTED} could be wrong, because the system
     * clock may have been changed.
     */
    private static long uptimeMillis() {
        return ManagementFactory.getRuntimeMXBean().getUptime();
    }
}
