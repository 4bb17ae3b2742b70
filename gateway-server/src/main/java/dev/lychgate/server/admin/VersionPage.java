package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.config.TlsProvider;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.tls.TlsEngines;
import io.netty.bootstrap.Bootstrap;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code /version}: what runs here, and since when. */
final class VersionPage {
    private static final Instant STARTED =
            Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());

    private static final String NETTY = netty();

    private VersionPage() {}

    /** @param gateway null before it has started */
    static void write(JsonGenerator json, @Nullable Gateway gateway) throws IOException {
        json.writeStartObject();
        json.writeStringField("gateway", of(VersionPage.class));
        json.writeStringField("java", System.getProperty("java.runtime.version"));
        json.writeStringField("jvm", System.getProperty("java.vm.name"));
        json.writeStringField("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        json.writeStringField("netty", NETTY);
        if (gateway != null) {
            json.writeStringField("transport", gateway.transport());
            json.writeNumberField("loops", gateway.workers());
        }
        json.writeStringField("tls", TlsEngines.explain(TlsProvider.AUTO));
        json.writeNumberField("pid", ProcessHandle.current().pid());
        json.writeStringField("started", STARTED.toString());
        json.writeNumberField("uptime_s", TimeUnit.MILLISECONDS.toSeconds(uptimeMillis()));
        json.writeEndObject();
    }

    /** Follows no change of the system clock, unlike the difference of two points in time. */
    private static long uptimeMillis() {
        return ManagementFactory.getRuntimeMXBean().getUptime();
    }

    /** The jar's manifest has it; where classes run without a jar nobody has. */
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
