package dev.lychgate.server.logwriter;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A stream for standard output or standard error of the process. Thread-safe.
 *
 * <p>After a failure, the JVM's own stream reports the failure at every check, so later lines would count as lost. This
 * stream reports each failure one time.
 */
public final class ProcessOutput extends PrintStream {
    /** @param out the stream of file descriptor 1 or 2 of the process, except in tests */
    public ProcessOutput(OutputStream out) {
        super(out, true, StandardCharsets.UTF_8);
    }

    /** Flushes the stream. Returns whether data was lost since the last call. */
    boolean hasFailed() {
        boolean failed = checkError();
        clearError();
        return failed;
    }
}
