package dev.lychgate.server.doctor;

import com.sun.management.OperatingSystemMXBean;
import dev.lychgate.config.GatewayConfig;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The checks, for this process and this machine. Blocks for up to five seconds, while names are resolved. */
public final class Examination {
    private Examination() {}

    /** Examines the machine and the JVM. */
    public static List<Finding> ofMachine() {
        long memory = ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Long.MAX_VALUE;
        return new MachineChecks(Path.of("/"), Runtime.version().feature(), jar(), memory, Instant.now()).all();
    }

    /**
     * Checks whether the machine meets the needs of a configuration.
     *
     * @param config a valid configuration
     * @param file the file of the configuration
     */
    public static List<Finding> of(GatewayConfig config, Path file) {
        return new ConfigurationChecks(config, file, Instant.now()).all();
    }

    private static @Nullable Path jar() {
        CodeSource source = Examination.class.getProtectionDomain().getCodeSource();
        try {
            Path path = source == null ? null : Path.of(source.getLocation().toURI());
            return path != null && Files.isRegularFile(path) ? path : null;
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }
}
