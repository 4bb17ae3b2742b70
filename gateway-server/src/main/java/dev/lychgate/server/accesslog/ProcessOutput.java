package dev.lychgate.server.accesslog;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Standard output as the process uses it. The one that the JVM provides says of a single failure for ever that it has
 * failed; this one says it once, so that lines count as written again as soon as they are. Any thread.
 */
public final class ProcessOutput extends PrintStream {
    /** @param out in production the process's file descriptor 1 */
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
