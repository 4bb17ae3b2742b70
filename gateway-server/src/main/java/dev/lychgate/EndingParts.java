package dev.lychgate;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the parts of a gateway that a reload has replaced. A part may take some seconds to write and send its last
 * data, so parts are closed on a separate thread. This thread exists only while parts are being closed. Thread-safe.
 */
final class EndingParts implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EndingParts.class);
    private static final Duration END = Duration.ofSeconds(8);

    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                Thread daemon = new Thread(task, "lychgate-ending");
                daemon.setDaemon(true);
                return daemon;
            });

    @Override
    public void execute(Runnable end) {
        thread.execute(() -> run(end));
    }

    private static void run(Runnable end) {
        try {
            end.run();
        } catch (RuntimeException e) {
            LOG.error(
                    "a log, an exporter or an admin listener that is no longer in use could not be closed; its unsent"
                            + " data may be lost",
                    e);
        }
    }

    /** Closes a part. */
    void end(AutoCloseable part) {
        execute(() -> {
            try {
                part.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Waits some seconds for the parts that are being closed. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(END.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "logs, exporters or admin listeners that are no longer in use were not closed within {} s; the"
                                + " gateway does not wait longer for them, and their unsent data may be lost",
                        END.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
