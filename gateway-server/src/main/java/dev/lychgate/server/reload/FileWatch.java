package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterDirectoryWatcher;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.Settling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the configuration file with its included files, certificates and keys, and the filter directory. Reads everything again when
 * one of them has changed and come to rest. Polls several times a second, so that swapped links and files that editors replace are
 * seen as well.
 */
final class FileWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);
    /** Rare enough to cost nothing that could be measured, and often enough for a change to be seen within a second. */
    private static final long LOOK_MILLIS = 500;

    private static final long LOOK_CLOSER_MILLIS = 40;
    private static final String FILTERS = "the filter directory was written";

    private final Path config;
    private final Reloader reloader;
    private final Thread thread;
    private volatile boolean closed;
    private final Settling settling;
    private String configStamp;
    /** Why the files were read last. */
    private String followed = "";

    private Set<String> certificates;
    private @Nullable String watched;
    private @Nullable FilterDirectoryWatcher directory;

    private FileWatch(Path config, Reloader reloader, @Nullable FilterSources known) {
        this.config = config;
        this.reloader = reloader;
        this.certificates = reloader.certificates();
        Stamp now = stamp();
        this.settling = new Settling(now, now.sizes());
        this.configStamp = configText();
        this.thread = new Thread(this::run, "lychgate-config-watcher");
        thread.setDaemon(true);
        watchDirectory(known);
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
                Thread.sleep(settling.isChanging() ? LOOK_CLOSER_MILLIS : LOOK_MILLIS);
                Stamp now = stamp();
                settling.look(now, now.sizes(), System.nanoTime());
                if (settling.isDue(System.nanoTime())) {
                    follow();
                } else if (settling.isSettled(System.nanoTime())) {
                    reloader.settled(followed);
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

    private void follow() {
        String before = configStamp;
        configStamp = configText();
        followed = configStamp.equals(before) ? "a certificate or key was written" : "the configuration was written";
        reloader.follow(followed);
    }

    /** The configuration may name others than before; what they hold is looked at once more, for it was not watched. */
    private void watchCertificates() {
        Set<String> named = reloader.certificates();
        if (!named.equals(certificates)) {
            certificates = named;
        }
    }

    /**
     * The state of the files as far as it shows without reading them.
     *
     * @param text the same for the same state
     * @param sizes their lengths in bytes, by their names
     */
    private record Stamp(String text, Map<String, Long> sizes) {}

    private Stamp stamp() {
        StringBuilder all = new StringBuilder(configText());
        Map<String, Long> sizes = new HashMap<>();
        sizes.put(config.toString(), config.toFile().length());
        reloader.included()
                .forEach(file -> sizes.put(file.toString(), file.toFile().length()));
        certificates.forEach(file -> {
            all.append(", ").append(text(Path.of(file)));
            sizes.put(file, Path.of(file).toFile().length());
        });
        return new Stamp(all.toString(), sizes);
    }

    /** Returns the state of the configuration file and of its included files. */
    private String configText() {
        StringBuilder all = new StringBuilder(text(config));
        reloader.included()
                .forEach(file -> all.append(", ").append(file).append(' ').append(text(file)));
        return all.toString();
    }

    private static String text(Path of) {
        try {
            // Of what a link leads to: its key is another one when the link is swapped.
            BasicFileAttributes file = Files.readAttributes(of, BasicFileAttributes.class);
            return file.lastModifiedTime().to(TimeUnit.NANOSECONDS) + " " + file.size() + " " + file.fileKey();
        } catch (IOException e) {
            return "unreadable";
        }
    }

    /** The configuration may name another directory than before, and one that is not there yet. */
    private synchronized void watchDirectory(@Nullable FilterSources known) {
        String wanted = reloader.directory();
        if (closed || Objects.equals(wanted, watched)) {
            return;
        }
        if (directory != null) {
            directory.close();
        }
        watched = wanted;
        directory = wanted == null ? null : watch(new FilterDirectory(Path.of(wanted)), known);
    }

    private FilterDirectoryWatcher watch(FilterDirectory wanted, @Nullable FilterSources known) {
        return FilterDirectoryWatcher.start(wanted, known, new Changes());
    }

    private final class Changes implements FilterDirectoryWatcher.Listener {
        @Override
        public void onSources(FilterSources sources) {
            reloader.follow(FILTERS);
        }

        @Override
        public void onUnreadable(FilterFaultsException faults) {
            // Reads the directory again and says what is wrong with it, in the same words as any refusal.
            reloader.follow(FILTERS);
        }

        @Override
        public void onSettled() {
            reloader.settled(FILTERS);
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
