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
 * The rolled files of a log, {@code FILE.2026-11-03.0} and so on, with {@code .gz} if compressed. They are compressed and
 * deleted on a thread of their own. A file is compressed into a temporary one, which is renamed when it is complete; only then
 * the original is deleted. What failed or was interrupted is tried again when the next file is rolled, and at the next start.
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

    /** The date of the clock when a file was rolled last, and whether it was reached from one date to the next. */
    private LocalDate seen;

    private boolean steady = true;

    private volatile long failures;
    private volatile boolean closed;

    /** Creates a file to compress into. */
    interface Opener {
        OutputStream create(Path file) throws IOException;
    }

    /** @param index among those of the date */
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

    /** How long the file may become. */
    long size() {
        return config.size().bytes();
    }

    /** How often a file could not be compressed. Any thread. */
    long failedCompressions() {
        return failures;
    }

    /** Renames the file, whose lines are of {@code date}. */
    void add(LocalDate date) throws IOException {
        int index = all().stream()
                .filter(each -> each.date.equals(date))
                .mapToInt(Rolled::index)
                .max()
                .orElse(-1);
        Files.move(file, file.resolveSibling(file.getFileName() + "." + date + "." + (index + 1)));
        LocalDate today = LocalDate.now(clock);
        if (!today.equals(seen)) {
            // A clock that leaps makes all files old. Until it moves on from one date to the next, none is deleted for
            // its age.
            steady = !today.isAfter(seen.plusDays(1));
            seen = today;
        }
        tidy(steady);
    }

    /** Compresses and deletes what is to be, soon. @param aged whether files may be deleted for their age */
    void tidy(boolean aged) {
        try {
            thread.execute(() -> {
                try {
                    compress();
                    delete(aged);
                } catch (IOException | UncheckedIOException e) {
                    LOG.warn("access log: the rolled files in {} can't be listed: {}", directory, e.toString());
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.warn("access log: no thread compresses or deletes rolled files now: {}", e.toString());
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
                // Of a process that was killed.
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
                LOG.warn("access log: {} can't be compressed, and is kept as it is: {}", original, e.toString());
            }
        }
    }

    /** Deletes the files that are too old, if {@code aged}, and the oldest ones beyond the total. */
    private void delete(boolean aged) throws IOException {
        if (config.keep() == 0) {
            return;
        }
        LocalDate today = LocalDate.now(clock);
        List<Rolled> all = new ArrayList<>(all());
        // Dates to come are of a clock that was wrong then: nothing is known of their age.
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
            LOG.warn("access log: {} can't be deleted: {}", path, e.toString());
        }
    }

    /** Interrupts what is under way: a file that is not compressed by then is compressed after the next start. */
    void close() {
        closed = true;
        thread.close();
    }
}
