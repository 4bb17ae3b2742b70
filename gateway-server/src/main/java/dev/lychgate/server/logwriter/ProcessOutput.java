package dev.lychgate.server.logwriter;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Standard output or standard error as the process uses it. The stream that the JVM provides reports a single failure for
 * ever; this one reports it once, so that lines count as written again as soon as they are. Any thread.
 */
public final class ProcessOutput extends PrintStream {
    /** @param out in production the process's file descriptor 1 or 2 */
    public ProcessOutput(OutputStream out) {
        super(out, true, StandardCharsets.UTF_8);
    }

    /** Brings out what waits. @return whether anything was lost since the last call */
    boolean hasFailed() {
        boolean failed = checkError();
        clearError();
        return failed;
    }
}
