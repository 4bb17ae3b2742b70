package dev.lychgate.server.reload;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.Settling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reported and ignored changes of a directory. Uses the real clock, because it watches real files. */
@Tag("slow")
class FileWatchTest {
    private static final long AT_MOST_MILLIS = 60_000;
    private static final Duration USUAL = Duration.ofMillis(150);
    /** Longer than a pause of the machine between two steps of a writer. */
    private static final Duration LONG = Duration.ofMillis(1500);

    private static final long QUIET_MILLIS = 550;

    private final Path root;

    /** The reports: the texts of all files one after the other, or the faults. */
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    private volatile Runnable whileTold = () -> {};
    private @Nullable FileWatch watcher;

    FileWatchTest(@TempDir Path root) {
        this.root = root;
    }

    @BeforeEach
    void watch() throws Exception {
        Files.createDirectories(root.resolve("inbound"));
        write("a.groovy", "1");
        watch(USUAL);
    }

    /** @param still the time without changes before a report */
    private void watch(Duration still) throws Exception {
        FilterSources known = new FilterDirectory(root).read();
        Duration patience = still.multipliedBy(7);
        watcher = FileWatch.start(
                null, new Heard(known), known, (stamp, sizes) -> new Settling(stamp, sizes, still, patience));
    }

    /** Reads the directory, and reports its content if it changed, like a reload. */
    private final class Heard implements FileWatch.Follower {
        private String before;

        Heard(FilterSources known) {
            this.before = texts(known);
        }

        private static String texts(FilterSources sources) {
            StringBuilder texts = new StringBuilder();
            sources.files().forEach(file -> texts.append(file.text()));
            return texts.toString();
        }

        @Override
        public void follow(String why) {
            String now;
            try {
                now = texts(new FilterDirectory(root).read());
            } catch (FilterFaultsException e) {
                now = String.valueOf(e.getMessage());
            }
            if (!now.equals(before)) {
                before = now;
                told.add(now);
                whileTold.run();
            }
        }

        @Override
        public Set<Path> secrets() {
            return Set.of();
        }

        @Override
        public void settled(String why) {}

        @Override
        public FilterDirectory directory() {
            return new FilterDirectory(root);
        }

        @Override
        public Set<String> certificates() {
            return Set.of();
        }

        @Override
        public List<Path> included() {
            return List.of();
        }
    }

    @AfterEach
    void stop() {
        if (watcher != null) {
            watcher.close();
        }
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(root.resolve("inbound").resolve(name), text);
    }

    private @Nullable String next() throws InterruptedException {
        return told.poll(AT_MOST_MILLIS, MILLISECONDS);
    }

    private void assertQuiet() throws InterruptedException {
        assertQuiet(USUAL);
    }

    /** @param still the time after which a change is reported */
    private void assertQuiet(Duration still) throws InterruptedException {
        assertThat(told.poll(still.toMillis() + QUIET_MILLIS, MILLISECONDS)).isNull();
    }

    @Test
    void reportsNothingWithoutChanges() throws Exception {
        assertQuiet();
    }

    @Test
    void reportsAddedChangedAndRemovedFiles() throws Exception {
        write("b.groovy", "2");
        assertThat(next()).isEqualTo("12");
        write("b.groovy", "3");
        assertThat(next()).isEqualTo("13");
        Files.move(root.resolve("inbound/b.groovy"), root.resolve("inbound/0.groovy"));
        assertThat(next()).isEqualTo("31");
        Files.delete(root.resolve("inbound/a.groovy"));
        assertThat(next()).isEqualTo("3");
        assertQuiet();
    }

    @Test
    void detectsAChangeThatKeepsSizeAndTime() throws Exception {
        Path file = root.resolve("inbound/a.groovy");
        FileTime time = Files.getLastModifiedTime(file);
        Files.writeString(file, "9");
        Files.setLastModifiedTime(file, time);
        assertThat(next()).isEqualTo("9");
    }

    @Test
    void ignoresATouchedFile() throws Exception {
        Files.setLastModifiedTime(root.resolve("inbound/a.groovy"), FileTime.fromMillis(1));
        assertQuiet();
    }

    /** Writes files in several steps, and returns their final text, which begins with a given number. */
    private interface Writer {
        String write(int number) throws Exception;
    }

    /** Writes files again if the machine paused for so long that a step could be reported on its own. */
    private String writeWithoutPause(Writer writer) throws Exception {
        for (int i = 0; ; i++) {
            stop();
            told.clear();
            watch(LONG);
            long begin = System.nanoTime();
            String text = writer.write(i);
            if (System.nanoTime() - begin < LONG.minusMillis(300).toNanos()) {
                return text;
            }
        }
    }

    @Test
    void reportsASaveInManyStepsOnce() throws Exception {
        Path file = root.resolve("inbound/a.groovy");
        String text = writeWithoutPause(number -> {
            write("4913", "");
            Files.delete(root.resolve("inbound/4913"));
            Files.move(file, root.resolve("inbound/a.groovy~"));
            write("a.groovy", "");
            write("a.groovy", number + " new");
            Files.delete(root.resolve("inbound/a.groovy~"));
            return number + " new";
        });
        assertThat(next()).isEqualTo(text);
        assertQuiet(LONG);
    }

    @Test
    void reportsASlowlyWrittenFileOnce() throws Exception {
        String whole = writeWithoutPause(number -> {
            StringBuilder text = new StringBuilder().append(number);
            for (int i = 0; i < 5; i++) {
                text.append(i);
                write("a.groovy", text.toString());
                Thread.sleep(50);
            }
            return text.toString();
        });
        assertThat(next()).isEqualTo(whole);
        assertQuiet(LONG);
    }

    @Test
    void reportsADirectoryThatNeverSettles() throws Exception {
        long end = System.nanoTime() + MILLISECONDS.toNanos(AT_MOST_MILLIS);
        for (int i = 0; System.nanoTime() < end && told.isEmpty(); i++) {
            write("a.groovy", "" + i % 10);
            Thread.sleep(30);
        }
        assertThat(told).isNotEmpty();
    }

    @Test
    void detectsASwappedLink() throws Exception {
        Path in = Files.createDirectories(root.resolve("outbound"));
        Files.writeString(Files.createDirectories(in.resolve("..1")).resolve("x.groovy"), "old");
        Files.writeString(Files.createDirectories(in.resolve("..2")).resolve("x.groovy"), "new");
        Files.createSymbolicLink(in.resolve("..data"), Path.of("..1"));
        Files.createSymbolicLink(in.resolve("x.groovy"), Path.of("..data/x.groovy"));
        assertThat(next()).isEqualTo("1old");
        Files.createSymbolicLink(in.resolve("..data_tmp"), Path.of("..2"));
        Files.move(in.resolve("..data_tmp"), in.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        assertThat(next()).isEqualTo("1new");
    }

    @Test
    void reportsChangesDuringAReport() throws Exception {
        whileTold = () -> {
            whileTold = () -> {};
            try {
                write("a.groovy", "3");
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        };
        write("a.groovy", "2");
        assertThat(next()).isEqualTo("2");
        assertThat(next()).isEqualTo("3");
        assertQuiet();
    }

    @Test
    void reportsADirectoryThatVanishesAndReturns() throws Exception {
        Path aside = root.resolveSibling(root.getFileName() + "-aside");
        Files.move(root, aside);
        assertThat(next()).endsWith("does not exist");
        assertQuiet();
        Files.move(aside, root);
        assertThat(next()).isEqualTo("1");
    }

    @Test
    void continuesIfTheListenerFails() throws Exception {
        whileTold = () -> {
            whileTold = () -> {};
            throw new IllegalStateException("not today");
        };
        write("a.groovy", "2");
        assertThat(next()).isEqualTo("2");
        write("a.groovy", "3");
        assertThat(next()).isEqualTo("3");
    }
}
