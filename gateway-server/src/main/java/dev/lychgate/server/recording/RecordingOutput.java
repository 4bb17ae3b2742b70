package dev.lychgate.server.recording;

import dev.lychgate.config.RecordConfig;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.server.logwriter.LogOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Redacts captured exchanges and appends them to the recording, on the writer's thread. A full recording becomes the
 * older part and replaces the previous older part. After a failed write, exchanges are dropped for some seconds, and
 * the file is then opened again.
 */
final class RecordingOutput implements LogOutput<RecordingOutput.Captured> {
    private static final Logger LOG = LoggerFactory.getLogger(RecordingOutput.class);
    private static final long PAUSE = Duration.ofSeconds(5).toNanos();

    /**
     * A captured exchange.
     *
     * @param held the number of bytes that the exchange has taken from the budget
     */
    record Captured(Recording raw, long held) {}

    private final Path file;
    private final @Nullable RecordingKey key;
    private final RecordingRedaction redaction;
    private final int bodyLimit;
    private final long full;
    private final MemoryBudget budget;
    private final LongAdder written = new LongAdder();
    private final LongAdder lost = new LongAdder();
    /**
     * The lock of the recording. The output holds the lock until it is closed, so that no other process writes to the
     * file after a failure or during a rename.
     */
    private final RecordingLock lock;

    private @Nullable RecordingWriter writer;
    private int waiting;
    private long failedAt = System.nanoTime() - PAUSE;

    /** @throws IOException if the key can't be read, another process writes to the file, or the file can't be opened */
    RecordingOutput(RecordConfig config, MemoryBudget budget) throws IOException {
        this.file = Path.of(config.file());
        this.key = key(config);
        RecordConfig.Redact redact = config.redact();
        this.redaction = new RecordingRedaction(redact.headers(), redact.query(), redact.json());
        this.bodyLimit = config.body().asInt();
        this.full = config.limit().bytes() / 2;
        this.budget = budget;
        this.lock = RecordingLock.of(file);
        try {
            this.writer = openAside();
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static @Nullable RecordingKey key(RecordConfig config) throws IOException {
        return config.encrypt() == null ? null : RecordingKey.read(Path.of(config.encrypt()));
    }

    /** @throws StartFailure if the key can't be read */
    static void requireKey(RecordConfig config) {
        try {
            key(config);
        } catch (IOException e) {
            throw new StartFailure("record: " + RecordingException.text(e), StartFailure.UNUSABLE_SETTINGS);
        }
    }

    long written() {
        return written.sum();
    }

    /** Returns the number of captured exchanges that could not be written. */
    long lost() {
        return lost.sum();
    }

    /**
     * Opens the recording. An existing recording that is damaged, truncated or encrypted differently is renamed and
     * never deleted.
     */
    private RecordingWriter openAside() throws IOException {
        try {
            return RecordingWriter.open(file, key, null);
        } catch (RecordingException e) {
            if (!isRecording()) {
                throw e;
            }
            Path aside = Path.of(file + "." + System.currentTimeMillis() + ".unusable");
            Files.move(file, aside);
            LOG.warn(
                    "the existing recording can't be continued: {}; the file is renamed to {}, and a new recording"
                            + " begins",
                    e.getMessage(),
                    aside);
            return RecordingWriter.open(file, key, null);
        }
    }

    /**
     * Returns whether the file is a recording. No other file is renamed, because the configuration may by mistake name
     * a file of another program or of a later version.
     */
    private boolean isRecording() {
        try {
            RecordingReader.open(file, null).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void write(Captured captured) {
        try {
            byte[] line = RecordingJson.line(RedactedRecording.of(captured.raw(), redaction, bodyLimit));
            add(line);
        } catch (RuntimeException e) {
            // A recording that can't be redacted is never written.
            lost.increment();
            LOG.error(
                    "exchange {} is not recorded, because it can't be redacted",
                    captured.raw().id(),
                    e);
        } finally {
            budget.giveBack(captured.held());
        }
    }

    private void add(byte[] line) {
        try {
            RecordingWriter open = writer();
            if (open == null || !open.add(line)) {
                lost.increment();
                return;
            }
            waiting++;
            if (open.length() >= full) {
                flush(open);
                open.close();
                writer = null;
                Files.move(file, Path.of(file + RecordingFormat.OLDER), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    private @Nullable RecordingWriter writer() throws IOException {
        RecordingWriter open = writer;
        if (open == null && System.nanoTime() - failedAt >= PAUSE) {
            open = openAside();
            writer = open;
        }
        return open;
    }

    private void flush(RecordingWriter open) throws IOException {
        open.flush();
        written.add(waiting);
        waiting = 0;
    }

    private void failed(IOException e) {
        lost.add(Math.max(1, waiting));
        waiting = 0;
        failedAt = System.nanoTime();
        LOG.error(
                "recording into {} failed, so exchanges are dropped for {} s: {}",
                file,
                PAUSE / 1_000_000_000,
                RecordingException.text(e));
        closeFile();
    }

    @Override
    public void look() {
        RecordingWriter open = writer;
        if (open != null && waiting > 0) {
            try {
                flush(open);
            } catch (IOException e) {
                failed(e);
            }
        }
    }

    @Override
    public void close() {
        closeFile();
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn(
                    "lock of recording {} could not be released, so other processes may be unable to record into this"
                            + " file until this process ends: {}",
                    file,
                    RecordingException.text(e));
        }
    }

    private void closeFile() {
        RecordingWriter open = writer;
        writer = null;
        if (open == null) {
            return;
        }
        try {
            open.close();
            written.add(waiting);
        } catch (IOException e) {
            lost.add(waiting);
            LOG.error(
                    "recording {} could not be closed, so the last exchanges are not written and are lost: {}",
                    file,
                    RecordingException.text(e));
        }
        waiting = 0;
    }
}
