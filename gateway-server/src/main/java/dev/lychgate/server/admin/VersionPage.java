package dev.lychgate.server.admin;

import dev.lychgate.config.TlsProvider;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import dev.lychgate.tls.TlsEngines;
import io.netty.bootstrap.Bootstrap;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code /version}: the running version and its start time. */
final class VersionPage {
    private static final Instant STARTED =
            Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());

    private static final String NETTY = netty();
    private static final long PID = ProcessHandle.current().pid();

    /** @param gateway the running gateway; null before it has started */
    record Running(@Nullable Gateway gateway) {}

    private static final Shape<Gateway> GATEWAY = new Shape<Gateway>("RunningGateway")
            .text("transport", "How sockets are read and written: epoll, io_uring or nio.", Gateway::transport)
            .integer("loops", "The number of event loops.", Gateway::workers);

    static final Shape<Running> SHAPE = new Shape<Running>(
                    "Version", "The versions of the gateway and its platform, and the start time.")
            .text("gateway", "The version of the gateway.", it -> of(VersionPage.class))
            .text("java", "The version of Java.", it -> property("java.runtime.version"))
            .text("jvm", "The name of the JVM.", it -> property("java.vm.name"))
            .text(
                    "os",
                    "The operating system and the processor.",
                    it -> property("os.name") + " " + property("os.arch"))
            .text("netty", "The version of Netty.", it -> NETTY)
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

    /** Returns the version in the jar's manifest; {@code development} if the class is not in a jar. */
    private static String of(Class<?> type) {
        return Objects.requireNonNullElse(type.getPackage().getImplementationVersion(), "development");
    }

    private static String netty() {
        return io.netty.util.Version.identify(Bootstrap.class.getClassLoader()).values().stream()
                .filter(version -> version.artifactId().equals("netty-common"))
                .map(io.netty.util.Version::artifactVersion)
                .findFirst()
                .orElse("unknown");
    }
}
