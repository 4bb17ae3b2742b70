package dev.lychgate.server;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * Sets how Netty allocates memory outside of the heap. If the jar's manifest (or {@code --add-opens
 * java.base/java.nio=ALL-UNNAMED}) permits access to the package {@code java.nio}, Netty allocates and counts this
 * memory itself. A refused allocation then costs only a comparison. Netty's limit is one sixteenth lower than the JVM's
 * limit, so that Netty refuses an allocation before the JVM does. A refusal by the JVM would block the event loop,
 * because the JVM first collects garbage and sleeps for half a second.
 */
final class DirectMemory {
    static final String LIMIT = "io.netty.maxDirectMemory";
    /** The system property that permits Netty to use the packages that the manifest opens. */
    static final String ACCESS = "io.netty.tryReflectionSetAccessible";

    private DirectMemory() {}

    /** Sets the two properties of Netty, unless they are already set. Must be called before Netty is loaded. */
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
