package dev.lychgate.server;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much memory Netty may take outside of the heap: a sixteenth less than the JVM allows. What the JVM refuses it refuses only
 * after it has collected garbage and slept for half a second, and has kept an event loop from all its clients by that; what
 * Netty's own count refuses costs nobody but the connection that wanted it.
 */
final class DirectMemory {
    static final String PROPERTY = "io.netty.maxDirectMemory";

    private DirectMemory() {}

    /** Sets the limit, unless somebody has; before Netty is loaded. */
    static void limit() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, Long.toString(below(ofJvm())));
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
