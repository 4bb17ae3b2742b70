package dev.lychgate.server.accesslog;

import ch.qos.logback.core.recovery.RecoveryListener;
import ch.qos.logback.core.recovery.ResilientOutputStreamBase;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Notices that Logback loses lines. Its file streams swallow failures, try again later and throw away what comes in the
 * meantime, so that a full disk does not stop the application. Used by the writer's thread only.
 */
final class DiskWatch implements RecoveryListener {
    private @Nullable OutputStream watched;
    private @Nullable IOException lost;
    private boolean broken;

    /** To be told the stream after each event: rolling opens a new one. */
    void afterWrite(@Nullable OutputStream out) {
        if (out != watched) {
            watched = out;
            broken = false;
            if (out instanceof ResilientOutputStreamBase resilient) {
                resilient.addRecoveryListener(this);
            }
        }
    }

    /** @throws UncheckedIOException if anything was lost since the last flush */
    void afterFlush() {
        IOException cause = lost;
        if (cause != null) {
            // While it is broken, lines are thrown away without a word.
            lost = broken ? cause : null;
            throw new UncheckedIOException(cause.getMessage(), cause);
        }
    }

    @Override
    public void newFailure(IOException cause) {
        broken = true;
        lost = cause;
    }

    @Override
    public void recoveryOccured() {
        broken = false;
    }
}
