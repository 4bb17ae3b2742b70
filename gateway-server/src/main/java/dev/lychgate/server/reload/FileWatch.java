package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterDirectoryWatcher;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the configuration file, the files of certificates and keys that it names, and the filter directory, and has
 * everything read anew when one of them has changed and come to rest. It looks several times a second: links that are swapped and files that editors replace are then like any other.
 */
final class FileWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);
    /** Rare enough to cost nothing that could be measured, and often enough for a change to be seen within a second. */
    private static final long LOOK_MILLIS = 500;

    private static final long LOOK_CLOSER_MILLIS = 40;
    private static final long STILL = TimeUnit.MILLISECONDS.toNanos(150);

    private final Path config;
    private final Reloader reloader;
    private final Thread thread;
    private volatile boolean closed;
    private String stamp;
    private String configStamp;
    private Set<String> certificates;
    private @Nullable String watched;
    private @Nullable FilterDirectoryWatcher directory;

    private FileWatch(Path config, Reloader reloader, @Nullable FilterSources known) {
        this.config = config;
        this.reloader = reloader;
        this.certificates = reloader.certificates();
        this.stamp = stamp();
        this.configStamp = stamp(config);
        this.thread = new Thread(this::run, "lychgate-config-watcher");
        thread.setDaemon(true);
        watchDirectory(known == null ? null : known.fingerprint());
    }

    /** Begins to watch. @param known the filters that run; null if there are none */
    static FileWatch start(Path config, Reloader reloader, @Nullable FilterSources known) {
        FileWatch watch = new FileWatch(config, reloader, known);
        watch.thread.start();
        return watch;
    }

    private void run() {
        while (!closed) {
            try {
                Thread.sleep(LOOK_MILLIS);
                String now = stamp();
                if (!now.equals(stamp)) {
                    String before = configStamp;
                    awaitRest(now);
                    configStamp = stamp(config);
                    reloader.follow(
                            configStamp.equals(before)
                                    ? "a certificate or key was written"
                                    : "the configuration was written");
                }
                watchCertificates();
                watchDirectory(null);
            } catch (InterruptedException e) {
                closed = true;
            } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
                LOG.error("{} is watched on, but a change was lost", config, e);
            }
        }
    }

    /** A file that is being written is read when it has not changed for a moment. */
    private void awaitRest(String first) throws InterruptedException {
        String before = first;
        long since = System.nanoTime();
        while (System.nanoTime() - since < STILL) {
            Thread.sleep(LOOK_CLOSER_MILLIS);
            String now = stamp();
            if (!now.equals(before)) {
                before = now;
                since = System.nanoTime();
            }
        }
        stamp = before;
    }

    /** The configuration may name others than before; what they hold is looked at once more, for it was not watched. */
    private void watchCertificates() {
        Set<String> named = reloader.certificates();
        if (!named.equals(certificates)) {
            certificates = named;
        }
    }

    private String stamp() {
        StringBuilder all = new StringBuilder(stamp(config));
        certificates.forEach(file -> all.append(", ").append(stamp(Path.of(file))));
        return all.toString();
    }

    private static String stamp(Path of) {
        try {
            // Of what a link leads to: its key is another one when the link is swapped.
            BasicFileAttributes file = Files.readAttributes(of, BasicFileAttributes.class);
            return file.lastModifiedTime().to(TimeUnit.NANOSECONDS) + " " + file.size() + " " + file.fileKey();
        } catch (IOException e) {
            return "unreadable";
        }
    }

    /** The configuration may name another directory than before, and one that is not there yet. */
    private synchronized void watchDirectory(@Nullable String known) {
        String wanted = reloader.directory();
        if (closed || Objects.equals(wanted, watched)) {
            return;
        }
        if (directory != null) {
            directory.close();
        }
        watched = wanted;
        directory = wanted == null
                ? null
                : FilterDirectoryWatcher.start(new FilterDirectory(Path.of(wanted)), known, new Changes());
    }

    private final class Changes implements FilterDirectoryWatcher.Listener {
        @Override
        public void onSources(FilterSources sources) {
            reloader.follow("the filter directory was written");
        }

        @Override
        public void onUnreadable(FilterFaultsException faults) {
            // Reads the directory again and says what is wrong with it, in the same words as any refusal.
            reloader.follow("the filter directory was written");
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        thread.interrupt();
        if (directory != null) {
            directory.close();
        }
    }
}
