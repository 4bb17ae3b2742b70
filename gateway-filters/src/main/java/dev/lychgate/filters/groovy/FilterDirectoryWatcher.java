package dev.lychgate.filters.groovy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when the filter directory has changed, and what is in it then. Looks at it several times a second instead of waiting
 * to be told: links that are swapped, network file systems and editors' ways of saving all look alike to it. A change is
 * told once the directory has been still for a moment, so that half-written files are rarely met; if one is, its rest is
 * another change.
 */
public final class FilterDirectoryWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FilterDirectoryWatcher.class);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration LOOK_CLOSER = Duration.ofMillis(40);
    private static final Duration STILL = Duration.ofMillis(150);
    /** A directory that never comes to rest is read after this. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final FilterDirectory directory;
    private final Listener listener;
    private final long still;
    private final long patience;
    private final Thread thread;
    private volatile boolean closed;

    private DirectoryStamp seen;
    private @Nullable String told;

    /** Who is told. Called on the watcher's own thread, one call after the other; may take its time. */
    public interface Listener {
        /** The files are others than those before. Not told again until something changes, whatever comes of it. */
        void onSources(FilterSources sources);

        /** The directory has changed and can't be read as a whole. Not told again until something changes. */
        void onUnreadable(FilterFaultsException faults);
    }

    private FilterDirectoryWatcher(
            FilterDirectory directory, @Nullable String known, Listener listener, Duration still, Duration patience) {
        this.still = still.toNanos();
        this.patience = patience.toNanos();
        this.directory = directory;
        this.listener = listener;
        this.told = known;
        // Nothing like it: what has changed since the files were read is seen at once.
        this.seen = new DirectoryStamp("");
        this.thread = new Thread(this::run, "lychgate-filter-watcher");
        thread.setDaemon(true);
    }

    /**
     * Begins to watch.
     *
     * @param known the fingerprint of the sources that are in use; null if there are none, and the first are to be told, too
     */
    public static FilterDirectoryWatcher start(FilterDirectory directory, @Nullable String known, Listener listener) {
        return start(directory, known, listener, STILL, PATIENCE);
    }

    /** @param still for how long nothing changes before it is told @param patience after which it is told all the same */
    static FilterDirectoryWatcher start(
            FilterDirectory directory, @Nullable String known, Listener listener, Duration still, Duration patience) {
        FilterDirectoryWatcher watcher = new FilterDirectoryWatcher(directory, known, listener, still, patience);
        watcher.thread.start();
        return watcher;
    }

    private void run() {
        boolean changing = false;
        long began = 0;
        long last = 0;
        while (!closed) {
            try {
                long now = System.nanoTime();
                DirectoryStamp stamp = DirectoryStamp.of(directory.root());
                if (!stamp.equals(seen)) {
                    seen = stamp;
                    last = now;
                    began = changing ? began : now;
                    changing = true;
                }
                if (changing && (now - last >= still || now - began >= patience)) {
                    changing = false;
                    tell();
                }
            } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
                LOG.error("the filter directory {} is watched on, but a change was lost", directory.root(), e);
            }
            pause(changing ? LOOK_CLOSER : LOOK);
        }
    }

    /** Tells what is there; and once more if it was another by the time that it had been heard. */
    private void tell() {
        if (tellOnce()) {
            tellOnce();
        }
    }

    /** @return whether there was something to tell */
    private boolean tellOnce() {
        try {
            FilterSources sources = directory.read();
            if (sources.fingerprint().equals(told)) {
                return false;
            }
            told = sources.fingerprint();
            listener.onSources(sources);
        } catch (FilterFaultsException e) {
            if (!DirectoryStamp.of(directory.root()).equals(seen)) {
                // It changed while it was read: what is there now is another change.
                return false;
            }
            String faults = String.valueOf(e.getMessage());
            if (faults.equals(told)) {
                return false;
            }
            told = faults;
            listener.onUnreadable(e);
        }
        return !closed;
    }

    private void pause(Duration length) {
        try {
            Thread.sleep(length.toMillis());
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    /** Stops watching; a listener that is being told is interrupted. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
