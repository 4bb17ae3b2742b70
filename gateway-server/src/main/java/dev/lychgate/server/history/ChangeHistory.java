package dev.lychgate.server.history;

import dev.lychgate.config.HistoryConfig;
import dev.lychgate.config.Quantity;
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
 * The history of a gateway's changes. A separate thread writes the entries in the order in which they were recorded.
 *
 * <p>An entry is lost if the disk or the queue is full, or if the file is unwritable. Losses are logged and counted.
 * Before the next entry, the thread writes an entry with the number of lost entries.
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
     * Starts the thread. If the file can't be opened, the thread tries again for each change.
     *
     * @param config the configuration file
     * @param others receive every entry, in addition to the webhook; the history closes them
     */
    public static ChangeHistory start(Path config, HistoryConfig settings, List<EntryReceiver> others) {
        return start(config, settings, others, () -> settings);
    }

    /**
     * Starts the thread, as {@link #start(Path, HistoryConfig, List)} does.
     *
     * @param current returns the settings in force, which contain the secrets of the webhook; null to use the settings
     *     at the start
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

    /**
     * Returns the newest file of the history.
     *
     * @param config the configuration file
     */
    public static Path file(Path config, HistoryConfig settings) {
        Path whole = config.toAbsolutePath();
        return settings.file() != null
                ? Path.of(settings.file())
                : whole.resolveSibling(".lychgate").resolve("history-" + whole.getFileName() + ".jsonl");
    }

    /** Records a change. Does not block, and throws no exception. Thread-safe. */
    public void record(Change change) {
        added(!closing && backlog.add(change));
    }

    /**
     * Records a change as {@link #record(Change)} does, and stores the files of the accepted generation.
     *
     * @param keep stores the files and returns the digest of their list, or an empty string if the files cannot be
     *     stored. The function runs on the thread of the history before the entry is written. It does not run if too
     *     many files of earlier changes are still waiting
     */
    public void record(Change change, Supplier<String> keep) {
        if (!closing && backlog.add(change, keep)) {
            added(true);
        } else {
            LOG.warn(
                    "the files of generation {} are not kept, because the files of earlier changes still wait for a"
                            + " slow disk; a rollback to this generation's entry in the history is impossible",
                    change.to());
            record(change);
        }
    }

    /**
     * Records an attempt that changed nothing; otherwise like {@link #record(Change)}. After many such attempts within
     * a minute, further attempts are only counted. If each attempt led to an entry, a client with read permission could
     * displace all other entries.
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
                // Read before the backlog is polled, so that all changes recorded before the close are written.
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
            LOG.error(
                    "the files of generation {} are not kept because of an unexpected failure; a rollback to this"
                            + " generation's entry in the history is impossible",
                    next.change().to(),
                    e);
            return next.change();
        }
    }

    private void write(Change change) {
        Entry entry = new Entry("", 0, change, "");
        try {
            long torn = writing.open();
            if (torn > 0) {
                LOG.warn(
                        "history file {} ended with an incomplete line of {}, probably because of a crash; the"
                                + " incomplete line was removed",
                        file,
                        Quantity.of(torn, "byte"));
                note("torn", "an incomplete last line of " + Quantity.of(torn, "byte") + " was removed");
            }
            long missing = lost.get() - reported;
            if (missing > 0) {
                note("lost", Quantity.of(missing, "entry") + " not written" + (why.isEmpty() ? "" : ": " + why));
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
                // The thread must continue even after a lack of memory.
                LOG.error(
                        "a receiver of the history of changes failed to accept an entry and may lack this entry; later"
                                + " entries are still sent to the receiver",
                        e);
            }
        }
    }

    private void complain() {
        long now = System.nanoTime();
        if (now - complainedAt >= BETWEEN_COMPLAINTS) {
            complainedAt = now;
            LOG.error(
                    "the history of changes can't be written to {}: {}; lost so far: {}; changes still"
                            + " take effect",
                    file,
                    why,
                    Quantity.of(lost.get(), "entry"));
        }
    }

    /**
     * Selects entries.
     *
     * @param before selects only entries with smaller numbers; {@link Long#MAX_VALUE} selects the newest entries
     * @param limit the maximum number of entries
     * @param action selects only entries with this action; null for all
     * @param operator selects only entries of this operator; null for all
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
     * Returns entries, the newest first. Reads files, so it must not run on an event loop. Lines that are not entries
     * are omitted.
     *
     * @throws IOException if a file cannot be read, or the search takes longer than a few seconds
     */
    public List<Entry> read(Query query) throws IOException {
        return new EntryReader(file, query, SEARCH_WITHIN).read();
    }

    /** Returns the entries of the history in {@code file}, the newest first. Blocks without a time limit. */
    public static List<Entry> read(Path file, Query query) throws IOException {
        return new EntryReader(file, query, null).read();
    }

    /** Returns the entry with a number; null if there is none. Reads files, so it must not run on an event loop. */
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

    /** Exposes the counts as metrics. */
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
                "Refused requests that are missing from the history of changes, because too many requests were refused",
                refusals::suppressed);
        receivers.forEach(receiver -> receiver.showIn(metrics));
    }

    /**
     * Writes the recorded entries and closes the history within seconds. Entries that cannot be written in that time
     * are lost.
     */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_WITHIN.toMillis());
            if (thread.isAlive()) {
                thread.interrupt();
                LOG.error(
                        "history file {} was closed before all entries were written, because the disk is too slow;"
                                + " lost: {}",
                        file,
                        Quantity.of(backlog.size() + 1, "entry"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        receivers.forEach(EntryReceiver::close);
    }
}
