package dev.lychgate.server.history;

import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.metrics.Losses.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
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
    private static final Duration SEARCH_WITHIN = Duration.ofSeconds(4);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(3);
    private static final long BETWEEN_COMPLAINTS = Duration.ofMinutes(1).toNanos();

    private final Path file;
    private final HistoryFile writing;
    private final List<EntryReceiver> receivers;
    private final Backlog backlog = new Backlog();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final RefusalQuota refusals = new RefusalQuota();
    private final Thread thread;
    private volatile boolean closing;
    private long reported;
    private String why = "";
    private long complainedAt = System.nanoTime() - BETWEEN_COMPLAINTS;

    private ChangeHistory(Path file, HistoryConfig settings, List<EntryReceiver> receivers) {
        this.file = file;
        this.writing = new HistoryFile(file, settings.size().bytes(), settings.keep());
        this.receivers = List.copyOf(receivers);
        this.thread = new Thread(this::run, "lychgate-history");
        thread.setDaemon(true);
    }

    /**
     * Starts writing. A file that can't be opened is opened again for each change.
     *
     * @param config the configuration file
     * @param others receive every entry, as the webhook does; closed with the history
     */
    public static ChangeHistory start(Path config, HistoryConfig settings, List<EntryReceiver> others) {
        return start(config, settings, others, () -> settings);
    }

    /**
     * Starts writing, as {@link #start(Path, HistoryConfig, List)}.
     *
     * @param current returns the settings in force, for the secrets of the webhook; null = those at the start
     */
    public static ChangeHistory start(
            Path config,
            HistoryConfig settings,
            List<EntryReceiver> others,
            Supplier<@Nullable HistoryConfig> current) {
        List<EntryReceiver> receivers = new ArrayList<>(others);
        if (settings.webhook() != null) {
            receivers.add(Webhook.start(settings.webhook(), () -> {
                HistoryConfig now = current.get();
                return now == null ? null : now.webhook();
            }));
        }
        ChangeHistory history = new ChangeHistory(file(config, settings), settings, receivers);
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
        added(!closing && backlog.add(change));
    }

    /**
     * As {@link #record(Change)}, of an accepted generation with files.
     *
     * @param keep keeps the files and returns the digest of their list, empty if it could not; called on the thread of the
     *     history before the entry is written, unless the disk is so slow that the files of earlier changes still wait
     */
    public void record(Change change, Supplier<String> keep) {
        if (!closing && backlog.add(change, keep)) {
            added(true);
        } else {
            LOG.warn("the files of generation {} are not kept, because earlier changes still wait", change.to());
            record(change);
        }
    }

    /**
     * As {@link #record(Change)}, for an attempt that changed nothing. More than a few a minute are only counted: a client that
     * may read could otherwise roll all other entries away.
     */
    public void recordRefusal(Change change) {
        if (refusals.admit(System.nanoTime())) {
            record(change);
        }
    }

    private void added(boolean room) {
        if (room) {
            LockSupport.unpark(thread);
        } else {
            lost.incrementAndGet();
        }
    }

    private void run() {
        try {
            while (true) {
                // Read before the backlog, so that changes that were recorded before the close are written.
                boolean last = closing;
                Backlog.Item next = backlog.poll();
                if (next != null) {
                    write(kept(next));
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

    private static Change kept(Backlog.Item next) {
        Supplier<String> keep = next.keep();
        try {
            return keep == null ? next.change() : next.change().keptAs(keep.get());
        } catch (RuntimeException | Error e) {
            LOG.error("the files of generation {} are not kept", next.change().to(), e);
            return next.change();
        }
    }

    private void write(Change change) {
        Entry entry = new Entry("", 0, change, "");
        try {
            long torn = writing.open();
            if (torn > 0) {
                LOG.warn(
                        "{} ended with an incomplete line of {} bytes, as after a crash; they were removed",
                        file,
                        torn);
                note("torn", torn + " bytes of an incomplete last line were removed");
            }
            long missing = lost.get() - reported;
            if (missing > 0) {
                note("lost", missing + " entries were not written" + (why.isEmpty() ? "" : ": " + why));
                reported += missing;
            }
            entry = writing.append(change);
            written.incrementAndGet();
        } catch (IOException | RuntimeException | Error e) {
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
        for (EntryReceiver receiver : receivers) {
            try {
                receiver.send(entry);
            } catch (RuntimeException | Error e) {
                // The thread must outlive a lack of memory.
                LOG.error("an entry of the history can't be sent to a receiver", e);
            }
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

    /**
     * Returns entries, the newest first. Reads files: not on an event loop. Lines that are no entries are left out.
     *
     * @throws IOException if a file cannot be read, or the search takes more than seconds
     */
    public List<Entry> read(Query query) throws IOException {
        return new EntryReader(file, query, SEARCH_WITHIN).read();
    }

    /** Returns the entries of the history in {@code file}, the newest first. Blocks, however long that takes. */
    public static List<Entry> read(Path file, Query query) throws IOException {
        return new EntryReader(file, query, null).read();
    }

    /** Returns an entry; null if there is none. Reads files: not on an event loop. */
    public @Nullable Entry find(long number) throws IOException {
        List<Entry> found = read(file, new Query(number + 1, 1, null, null));
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
        receivers.forEach(receiver -> receiver.showIn(metrics));
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
                LOG.error("the disk of {} is too slow: {} entries are lost at the end", file, backlog.size() + 1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        receivers.forEach(EntryReceiver::close);
    }
}
