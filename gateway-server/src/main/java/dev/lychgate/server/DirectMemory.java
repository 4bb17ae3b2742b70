package dev.lychgate.server;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * Sets how Netty allocates memory outside of the heap.
 *
 * <p>If Netty can access the package {@code java.nio}, it allocates and counts this memory itself. A refused allocation
 * then costs only a comparison. The manifest of the jar permits the access; without the jar, the option
 * {@code --add-opens java.base/java.nio=ALL-UNNAMED} permits it.
 *
 * <p>If the JVM refused an allocation, it would first collect garbage and sleep for half a second on the event loop.
 * Therefore, Netty's limit is one sixteenth lower than the JVM's limit.
 */
final class DirectMemory {
    static final String LIMIT = "io.netty.maxDirectMemory";
    /** The system property that permits Netty to use the packages that the manifest opens. */
    static final String ACCESS = "io.netty.tryReflectionSetAccessible";

    private DirectMemory() {}

    /**
     * Sets the properties {@link #LIMIT} and {@link #ACCESS} of Netty, unless they are already set. Must be called
     * before Netty is loaded.
     */
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
