package dev.lychgate.server.cli;

import ch.qos.logback.classic.LoggerContext;
import java.util.function.IntSupplier;
import org.slf4j.LoggerFactory;

/** The end of the process after SIGTERM or SIGINT. */
final class Shutdown {
    private Shutdown() {}

    /**
     * A thread that stops what runs and then the process.
     *
     * @param stop stops, and tells the exit code
     */
    static Thread thread(IntSupplier stop) {
        return new Thread(
                () -> {
                    int code = 1;
                    try {
                        code = stop.getAsInt();
                    } finally {
                        flushLogs();
                        // A JVM that ends by a signal exits with 143, whatever its hooks did. Whoever sent SIGTERM
                        // wants to know whether anything was lost, so the code is ours.
                        Runtime.getRuntime().halt(code);
                    }
                },
                "shutdown");
    }

    private static void flushLogs() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logback) {
            logback.stop();
        }
    }
}
