package dev.lychgate.server;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * How Netty gets its memory outside of the heap. It allocates and counts by itself where the jar's manifest (or
 * {@code --add-opens java.base/java.nio=ALL-UNNAMED}) permits it, so that a refusal costs a comparison. Its limit is a sixteenth less than
 * the JVM's: a refusal by the JVM comes after it has collected garbage and slept for half a second, on an event loop.
 */
final class DirectMemory {
    static final String LIMIT = "io.netty.maxDirectMemory";
    /** Whether Netty may use what the manifest opens. */
    static final String ACCESS = "io.netty.tryReflectionSetAccessible";

    private DirectMemory() {}

    /** Sets both properties, unless they are set; before Netty is loaded. */
    static void prepare() {
        if (System.getProperty(LIMIT) == null) {
            System.setProperty(LIMIT, Long.toString(below(ofJvm())));
        }
        if (System.getProperty(ACCESS) == null) {
            System.setProperty(ACCESS, "true");
        }
    }

    static long below(long most) {
        return most - most / 16;
    }

    private static long ofJvm() {
        long said = Long.parseLong(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue());
        return said > 0 ? said : Runtime.getRuntime().maxMemory();
    }
}
