package dev.lychgate.filters.groovy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when the filter directory has changed, and what is in it then. Looks at it several times a second instead of waiting
 * to be told: links that are swapped, network file systems and editors' ways of saving all look alike to it. A change is
 * told once the directory has been still for a moment, so that half-written files are rarely met; if one is, its rest is
 * another change. {@link Settling} decides when that is.
 */
public final class FilterDirectoryWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FilterDirectoryWatcher.class);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration LOOK_CLOSER = Duration.ofMillis(40);
    /** Unlike any directory, so that a change between the first read and the first look is seen. */
    private static final DirectoryStamp NOTHING = new DirectoryStamp("");

    private final FilterDirectory directory;
    private final Listener listener;
    private final Thread thread;
    private volatile boolean closed;

    private final Settling settling;
    private DirectoryStamp seen = NOTHING;
    private @Nullable String told;
    /** Null until the first read, if they are not known: they are not told then. */
    private @Nullable List<IgnoredFile> ignored;

    /** Who is told. Called on the watcher's own thread, one call after the other; may take its time. */
    public interface Listener {
        /** The files are others than those before. Not told again until something changes, whatever comes of it. */
        void onSources(FilterSources sources);

        /** The directory has changed and can't be read as a whole. Not told again until something changes. */
        void onUnreadable(FilterFaultsException faults);

        /**
         * Nothing has been written for {@link Settling#SETTLED}, so the files read last are complete. Called once after each
         * change.
         */
        default void onSettled() {}
    }

    private FilterDirectoryWatcher(FilterDirectory directory, Listener listener, Settling settling) {
        this.settling = settling;
        this.directory = directory;
        this.listener = listener;
        this.thread = new Thread(this::run, "lychgate-filter-watcher");
        thread.setDaemon(true);
    }

    /**
     * Begins to watch.
     *
     * @param known the sources that are in use, with the ignored files that were reported; null if there are none, so that
     *     the first are reported
     */
    public static FilterDirectoryWatcher start(
            FilterDirectory directory, @Nullable FilterSources known, Listener listener) {
        return start(directory, known, listener, new Settling(NOTHING, NOTHING.sizes()));
    }

    /** @param settling decides when a change is reported */
    static FilterDirectoryWatcher start(
            FilterDirectory directory, @Nullable FilterSources known, Listener listener, Settling settling) {
        FilterDirectoryWatcher watcher = new FilterDirectoryWatcher(directory, listener, settling);
        if (known != null) {
            watcher.told = known.fingerprint();
            watcher.ignored = known.ignored();
        }
        watcher.thread.start();
        return watcher;
    }

    private void run() {
        while (!closed) {
            try {
                seen = DirectoryStamp.of(directory.root());
                settling.look(seen, seen.sizes(), System.nanoTime());
                if (settling.isDue(System.nanoTime())) {
                    tell();
                } else if (settling.isSettled(System.nanoTime())) {
                    listener.onSettled();
                }
            } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
                LOG.error("the filter directory {} is watched on, but a change was lost", directory.root(), e);
            }
            pause(settling.isChanging() ? LOOK_CLOSER : LOOK);
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
            boolean same = sources.fingerprint().equals(told)
                    && (ignored == null || sources.ignored().equals(ignored));
            told = sources.fingerprint();
            ignored = sources.ignored();
            if (same) {
                return false;
            }
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
