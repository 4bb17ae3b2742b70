package dev.lychgate.server.accesslog;

import dev.lychgate.config.RollConfig;
import dev.lychgate.loop.SerialExecutor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rolled files of a log: {@code FILE.2026-11-03.0} and so on, with {@code .gz} if compressed. A separate thread
 * compresses and deletes these files. Failed and interrupted steps are retried when the next file is rolled, and at the
 * next start.
 *
 * <p>A file is compressed into a temporary file, which is renamed when it is complete. Then the original is deleted.
 */
final class RolledFiles {
    private static final Logger LOG = LoggerFactory.getLogger(RolledFiles.class);
    private static final String TEMPORARY = ".gz.tmp";
    private static final int BUFFER = 64 << 10;

    private final Path file;
    private final Path directory;
    private final RollConfig config;
    private final Clock clock;
    private final Opener opener;
    private final Pattern names;
    private final SerialExecutor thread = SerialExecutor.passing("lychgate-log-files");

    /**
     * The date of the last roll, according to the clock. Before the first roll, the date when this object was created.
     */
    private LocalDate seen;

    private boolean steady = true;

    private volatile long failures;
    private volatile boolean closed;

    /** Creates the destination of a compression. */
    interface Opener {
        OutputStream create(Path file) throws IOException;
    }

    /**
     * A rolled file.
     *
     * @param index the index of the file among the files of the same date
     */
    private record Rolled(Path path, LocalDate date, int index, String suffix) {}

    RolledFiles(Path file, RollConfig config, Clock clock) {
        this(file, config, clock, Files::newOutputStream);
    }

    RolledFiles(Path file, RollConfig config, Clock clock, Opener opener) {
        this.file = file.toAbsolutePath();
        this.directory = this.file.resolveSibling(".").normalize();
        this.config = config;
        this.clock = clock;
        this.opener = opener;
        this.seen = LocalDate.now(clock);
        this.names = Pattern.compile(Pattern.quote(String.valueOf(file.getFileName()))
                + "\\.(\\d{4}-\\d\\d-\\d\\d)\\.(\\d{1,9})((?:\\.gz(?:\\.tmp)?)?)");
    }

    /** Returns the length in bytes at which the file is rolled. */
    long size() {
        return config.size().bytes();
    }

    /** Returns how often a compression failed. Thread-safe. */
    long failedCompressions() {
        return failures;
    }

    /** Rolls the file: renames it to the next unused name that contains {@code date}, the date of its lines. */
    void add(LocalDate date) throws IOException {
        int index = all().stream()
                .filter(each -> each.date.equals(date))
                .mapToInt(Rolled::index)
                .max()
                .orElse(-1);
        Files.move(file, file.resolveSibling(file.getFileName() + "." + date + "." + (index + 1)));
        LocalDate today = LocalDate.now(clock);
        if (!today.equals(seen)) {
            // If the clock has jumped forward, all files appear to be old. Therefore, files are deleted because of
            // their age only if the date has advanced by at most one day since the last roll.
            steady = !today.isAfter(seen.plusDays(1));
            seen = today;
        }
        tidy(steady);
    }

    /**
     * Schedules the compression and deletion of rolled files. Files are deleted because of their age only if
     * {@code aged} is true.
     */
    void tidy(boolean aged) {
        try {
            thread.execute(() -> {
                try {
                    compress();
                    delete(aged);
                } catch (IOException | UncheckedIOException e) {
                    LOG.warn(
                            "access log: the rolled files in {} can't be listed, so none is deleted now: {}",
                            directory,
                            e.toString());
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.warn(
                    "access log: no thread is available, so rolled files are compressed and deleted only after the next"
                            + " roll: {}",
                    e.toString());
        }
    }

    private List<Rolled> all() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Rolled> all = new ArrayList<>();
            for (Path path : (Iterable<Path>) files::iterator) {
                Rolled rolled = rolled(path);
                if (rolled != null) {
                    all.add(rolled);
                }
            }
            return all;
        }
    }

    private @Nullable Rolled rolled(Path path) {
        Matcher name = names.matcher(String.valueOf(path.getFileName()));
        try {
            return name.matches()
                    ? new Rolled(path, LocalDate.parse(name.group(1)), Integer.parseInt(name.group(2)), name.group(3))
                    : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    private void compress() throws IOException {
        for (Rolled each : all()) {
            if (each.suffix.equals(TEMPORARY)) {
                // An earlier process was killed while it wrote this file.
                delete(each.path);
            } else if (each.suffix.isEmpty() && config.compress() == RollConfig.Compress.GZIP && !closed) {
                compress(each.path);
            }
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, many readers
    private void compress(Path original) {
        Path temporary = original.resolveSibling(original.getFileName() + TEMPORARY);
        try {
            try (InputStream in = Files.newInputStream(original);
                    OutputStream to = opener.create(temporary);
                    OutputStream out = new GZIPOutputStream(to, BUFFER)) {
                in.transferTo(out);
            }
            Files.move(
                    temporary,
                    original.resolveSibling(original.getFileName() + ".gz"),
                    StandardCopyOption.REPLACE_EXISTING);
            Files.delete(original);
        } catch (IOException e) {
            delete(temporary);
            if (!closed) {
                failures++;
                LOG.warn("access log: {} can't be compressed, so it stays uncompressed: {}", original, e.toString());
            }
        }
    }

    /**
     * Deletes the oldest files until the total size is within its limit. If {@code aged} is true, the method also
     * deletes each file whose age exceeds the limit.
     */
    private void delete(boolean aged) throws IOException {
        if (config.keep() == 0) {
            return;
        }
        LocalDate today = LocalDate.now(clock);
        List<Rolled> all = new ArrayList<>(all());
        // Files with dates in the future were written while the clock was wrong, so their age is unknown.
        all.sort(Comparator.comparing((Rolled each) -> !each.date.isAfter(today))
                .thenComparing(Rolled::date)
                .thenComparing(Rolled::index));
        long sum = 0;
        for (Rolled each : all) {
            sum += each.path.toFile().length();
        }
        long total = config.total().bytes();
        for (Rolled each : all) {
            long length = each.path.toFile().length();
            boolean tooOld = aged && each.date.isBefore(today.minusDays(config.keep()));
            if (tooOld || (total > 0 && sum > total)) {
                delete(each.path);
                sum -= length;
            }
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.warn(
                    "access log: the old file {} can't be deleted, so it occupies the disk until a later attempt: {}",
                    path,
                    e.toString());
        }
    }

    /** Interrupts the compression in progress. This compression is retried at the next start. */
    void close() {
        closed = true;
        thread.close();
    }
}
