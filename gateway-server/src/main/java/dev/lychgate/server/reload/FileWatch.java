package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.DirectoryStamp;
import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.Settling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the configuration file with its included files, secrets, certificates and keys, and the filter directory.
 * Reads all of these files again after a change. The watch polls the files five times a second. Polling also detects
 * changes of links, changes on network file systems, and changes by editors that replace files. {@link Settling}
 * decides when a change is complete, so that partially written files are rarely read.
 */
final class FileWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);
    /** The reported reason for a change of the files of secrets; changes of other files are reported separately. */
    static final String SECRET = "a secret was written";
    /**
     * The reported reason for a change of a certificate, key or address list. Such a change takes effect at once,
     * even while changes of other files wait for a reload.
     */
    static final String RENEWED = "a certificate, key or address list was written";

    /**
     * The interval between polls. Polling has no measurable cost, and the interval is short enough to detect a change
     * within a second.
     */
    private static final Duration LOOK = Duration.ofMillis(200);

    private static final Duration LOOK_CLOSER = Duration.ofMillis(40);

    private final Follower follower;
    private final List<Watched> watched = new ArrayList<>();
    private final Thread thread;
    private volatile boolean closed;
    /** The running filters; null after the first change was detected. */
    private @Nullable FilterSources known;

    /** Reads changed files. Called by the thread of this watch only; may block. */
    interface Follower {
        /**
         * Reads all files, because some were written.
         *
         * @param why names the written files, for the log
         */
        void follow(String why);

        /**
         * Reports that the files of a change are no longer being written.
         *
         * @param why as in {@link #follow}
         */
        void settled(String why);

        /** Returns the filter directory to watch; null if there is none. */
        @Nullable
        FilterDirectory directory();

        Set<String> certificates();

        List<Path> included();

        /** Returns the files of secrets. */
        Set<Path> secrets();
    }

    private record Watched(String why, Supplier<DirectoryStamp> stamp, Settling settling) {}

    private FileWatch(
            @Nullable Path config,
            Follower follower,
            @Nullable FilterSources known,
            BiFunction<Object, Map<String, Long>, Settling> settling) {
        this.follower = follower;
        this.known = known;
        if (config != null) {
            watch(
                    "the configuration was written",
                    () -> ofFiles(Stream.concat(Stream.of(config), follower.included().stream())),
                    settling);
            watch(SECRET, () -> ofFiles(follower.secrets().stream()), settling);
            watch(RENEWED, () -> ofFiles(follower.certificates().stream().map(Path::of)), settling);
        }
        // The initial stamp NONE differs from the stamp of every directory. Thus, a change between the first read and
        // the first poll is detected.
        watched.add(new Watched(
                "the filter directory was written",
                this::directory,
                settling.apply(DirectoryStamp.NONE, DirectoryStamp.NONE.sizes())));
        this.thread = new Thread(this::run, "lychgate-file-watcher");
        thread.setDaemon(true);
    }

    private void watch(
            String why, Supplier<DirectoryStamp> stamp, BiFunction<Object, Map<String, Long>, Settling> settling) {
        DirectoryStamp now = stamp.get();
        watched.add(new Watched(why, stamp, settling.apply(now, now.sizes())));
    }

    private static DirectoryStamp ofFiles(Stream<Path> files) {
        return DirectoryStamp.ofFiles(files.map(Path::toString).toList());
    }

    private DirectoryStamp directory() {
        FilterDirectory directory = follower.directory();
        return directory == null ? DirectoryStamp.NONE : directory.stamp();
    }

    /**
     * Starts watching.
     *
     * @param config the configuration file, watched with its certificates; null if the settings are in code
     * @param known the running filters; null if there are none, or if they differ from the filters in the directory
     */
    static FileWatch start(@Nullable Path config, Follower follower, @Nullable FilterSources known) {
        return start(config, follower, known, Settling::new);
    }

    /**
     * @param settling creates the object that decides when a change is reported, from the initial state of the
     *     files
     */
    static FileWatch start(
            @Nullable Path config,
            Follower follower,
            @Nullable FilterSources known,
            BiFunction<Object, Map<String, Long>, Settling> settling) {
        FileWatch watch = new FileWatch(config, follower, known, settling);
        watch.thread.start();
        return watch;
    }

    private void run() {
        while (!closed) {
            watched.forEach(this::look);
            boolean changing = watched.stream().map(Watched::settling).anyMatch(Settling::isChanging);
            try {
                Thread.sleep((changing ? LOOK_CLOSER : LOOK).toMillis());
            } catch (InterruptedException e) {
                closed = true;
            }
        }
    }

    private void look(Watched files) {
        try {
            DirectoryStamp now = files.stamp().get();
            files.settling().look(now, now.sizes(), System.nanoTime());
            if (files.settling().isDue(System.nanoTime())) {
                follow(files.why(), now);
            } else if (files.settling().isSettled(System.nanoTime())) {
                follower.settled(files.why());
            }
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError | OutOfMemoryError e) {
            LOG.error(
                    "{}; the change was not applied because of an unexpected failure; watching continues",
                    files.why(),
                    e);
        }
    }

    /**
     * Reports a change, with two exceptions. A change in a directory that is no longer configured is not reported. The
     * first poll is not reported if the directory contains the running filters.
     */
    private void follow(String why, DirectoryStamp now) {
        FilterSources before = known;
        known = null;
        if (!closed && !now.equals(DirectoryStamp.NONE) && (before == null || !isThere(before))) {
            follower.follow(why);
        }
    }

    private boolean isThere(FilterSources sources) {
        FilterDirectory directory = follower.directory();
        try {
            return directory != null && directory.read().isSameAs(sources);
        } catch (FilterFaultsException e) {
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
