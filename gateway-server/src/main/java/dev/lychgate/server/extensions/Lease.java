package dev.lychgate.server.extensions;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the shared object of an extension once, when no holder is reachable. An exchange may use a filter of an old generation
 * for hours, and the exchanges of a generation are not counted.
 */
final class Lease implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lease.class);
    private static final Cleaner CLEANER = Cleaner.create(action -> {
        Thread thread = new Thread(action, "lychgate-extension-cleaner");
        thread.setDaemon(true);
        return thread;
    });

    private final String extension;
    private final Object opened;
    private final AtomicInteger holders = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();

    Lease(String extension, Object opened) {
        this.extension = extension;
        this.opened = opened;
    }

    /** Keeps the object open as long as {@code holder} is reachable. */
    void heldBy(Object holder) {
        holders.incrementAndGet();
        CLEANER.register(holder, this::release);
    }

    private void release() {
        if (holders.decrementAndGet() == 0) {
            close();
        }
    }

    @Override
    public void close() {
        if (opened instanceof AutoCloseable resource && closed.compareAndSet(false, true)) {
            try {
                resource.close();
            } catch (Exception | LinkageError e) {
                LOG.warn("extension {}: closing failed", extension, e);
            }
        }
    }
}
