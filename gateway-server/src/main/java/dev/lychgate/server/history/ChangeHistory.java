package dev.lychgate.server.history;

import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.metrics.Losses.Kind;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The history of a gateway. A thread of its own writes the entries in the order in which they were recorded. An entry that
 * cannot be written, because the disk is full, the file is unwritable or the queue is full, is logged and counted, and the next
 * entry that can be written is preceded by one with the number of lost ones.
 */
public final class ChangeHistory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeHistory.class);
    private static final int QUEUE = 1024;
    private static final int READ_TRIES = 3;
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(3);
    private static final long BETWEEN_COMPLAINTS = Duration.ofMinutes(1).toNanos();

    private final Path file;
    private final HistoryFile writing;
    private final @Nullable Webhook webhook;
    private final Queue<Change> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final RefusalQuota refusals = new RefusalQuota();
    private final Thread thread;
    private volatile boolean closing;
    private long reported;
    private String why = "";
    private long complainedAt = System.nanoTime() - BETWEEN_COMPLAINTS;

    private ChangeHistory(Path file, HistoryConfig settings) {
        this.file = file;
        this.writing = new HistoryFile(file, settings.size().bytes(), settings.keep());
        this.webhook = settings.webhook() == null ? null : Webhook.start(settings.webhook());
        this.thread = new Thread(this::run, "lychgate-history");
        thread.setDaemon(true);
    }

    /** Starts writing. A file that can't be opened is opened again for each change. @param config the configuration file */
    public static ChangeHistory start(Path config, HistoryConfig settings) {
        ChangeHistory history = new ChangeHistory(file(config, settings), settings);
        history.thread.start();
        return history;
    }

    /** Returns the newest file of the history. @param config the configuration file */
    public static Path file(Path config, HistoryConfig settings) {
        Path whole = config.toAbsolutePath();
        return settings.file() != null
                ? Path.of(settings.file())
                : whole.resolveSibling(".lychgate").resolve("history-" + whole.getFileName() + ".jsonl");
    }

    /** Records a change. Never waits and never fails. Any thread. */
    public void record(Change change) {
        if (closing) {
            lost.incrementAndGet();
        } else if (waiting.incrementAndGet() > QUEUE) {
            waiting.decrementAndGet();
            lost.incrementAndGet();
        } else {
            queue.add(change);
            LockSupport.unpark(thread);
        }
    }

    /**
     * As {@link #record}, for an attempt that changed nothing. More than a few a minute are only counted: a client that may read
     * could otherwise roll all other entries away. Any thread.
     */
    public void recordRefusal(Change change) {
        if (refusals.admit(System.nanoTime())) {
            record(change);
        }
    }

    private void run() {
        try {
            while (true) {
                // Read before the queue, so that changes that were recorded before the close are written.
                boolean last = closing;
                Change next = queue.poll();
                if (next != null) {
                    waiting.decrementAndGet();
                    write(next);
                } else if (last) {
                    return;
                } else {
                    LockSupport.park(this);
                }
            }
        } finally {
            writing.close();
        }
    }

    private void write(Change change) {
        Entry entry = new Entry("", 0, change, "");
        try {
            long torn = writing.open();
            if (torn > 0) {
                note("torn", torn + " bytes of an incomplete last line were removed");
            }
            long missing = lost.get() - reported;
            if (missing > 0) {
                note("lost", missing + " entries were not written" + (why.isEmpty() ? "" : ": " + why));
                reported += missing;
            }
            entry = writing.append(change);
            written.incrementAndGet();
        } catch (IOException | RuntimeException e) {
            lost.incrementAndGet();
            why = e.toString();
            complain();
        }
        send(entry);
    }

    private void note(String verdict, String reason) throws IOException {
        send(writing.append(Change.of("history", Author.GATEWAY, verdict, reason)));
        written.incrementAndGet();
    }

    private void send(Entry entry) {
        if (webhook != null) {
            webhook.send(entry);
        }
    }

    private void complain() {
        long now = System.nanoTime();
        if (now - complainedAt >= BETWEEN_COMPLAINTS) {
            complainedAt = now;
            LOG.error(
                    "the history of changes can't be written to {}: {}; {} entries are lost so far, and changes continue",
                    file,
                    why,
                    lost.get());
        }
    }

    /**
     * Selects entries.
     *
     * @param before only entries with smaller numbers; {@link Long#MAX_VALUE} for the newest
     * @param limit the most entries
     * @param action only those of an action; null = all
     * @param operator only those of an operator; null = all
     */
    public record Query(
            long before,
            int limit,
            @Nullable String action,
            @Nullable String operator) {
        boolean accepts(Entry entry) {
            return entry.number() < before
                    && (action == null || action.equals(entry.change().action()))
                    && (operator == null
                            || operator.equals(entry.change().author().operator()));
        }
    }

    /** Returns entries, the newest first. Reads files: not on an event loop. Lines that are no entries are left out. */
    public List<Entry> read(Query query) throws IOException {
        return read(file, query);
    }

    /** As {@link #read(Query)}, of the history in {@code file}. */
    public static List<Entry> read(Path file, Query query) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return readOnce(file, query);
            } catch (NoSuchFileException e) {
                // Rolled or deleted meanwhile.
                if (tries == READ_TRIES) {
                    throw e;
                }
            }
        }
    }

    private static List<Entry> readOnce(Path file, Query query) throws IOException {
        List<Path> files = Lines.all(file);
        List<Entry> found = new ArrayList<>();
        for (int i = files.size() - 1; i >= 0 && found.size() < query.limit(); i--) {
            int room = query.limit() - found.size();
            Deque<Entry> newest = new ArrayDeque<>();
            Lines.visit(files.get(i), (line, whole) -> {
                Entry entry = whole ? entry(line) : null;
                if (entry != null && query.accepts(entry)) {
                    newest.addFirst(entry);
                    if (newest.size() > room) {
                        newest.removeLast();
                    }
                }
            });
            found.addAll(newest);
        }
        return found;
    }

    private static @Nullable Entry entry(byte[] line) {
        try {
            return Entry.parse(line);
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns an entry; null if there is none. Reads files: not on an event loop. */
    public @Nullable Entry find(long number) throws IOException {
        List<Entry> found = read(new Query(number + 1, 1, null, null));
        return found.isEmpty() || found.get(0).number() != number ? null : found.get(0);
    }

    /** Returns the number of written entries. */
    public long written() {
        return written.get();
    }

    /** Returns the number of entries that could not be written. */
    public long lost() {
        return lost.get();
    }

    /** Exposes the counts. */
    public void showIn(GatewayMetrics metrics) {
        metrics.counter(
                "lychgate.history.written", "Entries of the history of changes that were written", written::get);
        metrics.loss(
                Kind.LOG,
                "history of changes",
                "lychgate.history.lost",
                "Entries of the history of changes that could not be written",
                lost::get);
        metrics.counter(
                "lychgate.history.suppressed",
                "Refused requests that are missing from the history of changes, because there were many",
                refusals::suppressed);
        if (webhook != null) {
            webhook.showIn(metrics);
        }
    }

    /** Writes what was recorded, within seconds. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_WITHIN.toMillis());
            if (thread.isAlive()) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (webhook != null) {
            webhook.close();
        }
    }
}
