package dev.lychgate.server.mirror;

import dev.lychgate.exchange.call.MirrorEnd;
import dev.lychgate.exchange.call.MirrorPair;
import dev.lychgate.server.logwriter.LogOutput;
import dev.lychgate.server.logwriter.LogQueue;
import dev.lychgate.server.logwriter.LogWriter;
import dev.lychgate.server.metrics.MirrorTallies;
import dev.lychgate.server.metrics.MirrorTally;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Counts the copies of requests, and compares pairs of responses on a separate thread, which starts with the first
 * pair. If the queue of the thread is full, comparisons are skipped and counted.
 */
public final class MirrorObserver implements AutoCloseable {
    private static final int QUEUE = 512;
    private static final Duration NAP = Duration.ofMillis(20);
    private static final Duration END = Duration.ofSeconds(2);
    /** The maximum number of compiled settings in memory. Each reload may add settings to them. */
    private static final int SETTINGS = 64;

    private final MirrorTallies tallies;
    private final MirrorBook book;
    private final AtomicReference<@Nullable Comparing> comparing = new AtomicReference<>();

    private record Job(MirrorTallies.Mirror mirror, MirrorPair pair) {}

    private record Comparing(LogQueue<Job> queue, LogWriter<Job> writer) {}

    /** @param tallies the counts that metrics expose */
    public MirrorObserver(MirrorTallies tallies) {
        this.tallies = tallies;
        this.book = new MirrorBook(tallies);
    }

    /** Returns the differences found so far. */
    public MirrorBook book() {
        return book;
    }

    /** Counts a copy that has ended, and queues its responses for comparison. Thread-safe; does not block. */
    public void onMirrored(MirrorEnd copy) {
        MirrorTallies.Mirror mirror = new MirrorTallies.Mirror(copy.route(), copy.upstream());
        MirrorTally tally = tallies.of(mirror);
        tally.ended(copy.outcome(), copy.nanos());
        if (!copy.isCompared()) {
            return;
        }
        LogQueue<Job> queue = comparing().queue();
        MirrorPair pair = copy.take();
        if (pair == null) {
            tally.compared(MirrorTally.Result.SKIPPED);
        } else if (!queue.offer(new Job(mirror, pair))) {
            pair.close();
            tally.compared(MirrorTally.Result.SKIPPED);
        }
    }

    private Comparing comparing() {
        Comparing running = comparing.get();
        if (running != null) {
            return running;
        }
        LogQueue<Job> queue = new LogQueue<>(QUEUE);
        LogWriter<Job> writer = new LogWriter<>("comparison of mirrors", queue, List.of(new Comparer()), NAP);
        // The thread starts before the queue is visible, because pairs in a queue without a thread would keep their
        // memory.
        writer.start();
        Comparing created = new Comparing(queue, writer);
        Comparing first = comparing.compareAndExchange(null, created);
        if (first == null) {
            return created;
        }
        // Another event loop created the queue first. The thread that was started here ends, and its queue is empty.
        queue.abandon();
        writer.wake();
        return first;
    }

    /** Compares pairs, on the separate thread. */
    private final class Comparer implements LogOutput<Job> {
        private final Map<List<String>, IgnoredPaths> compiled = new HashMap<>();

        @Override
        public void write(Job job) {
            MirrorTally tally = tallies.of(job.mirror());
            try (MirrorPair pair = job.pair()) {
                Comparison comparison =
                        Comparison.of(pair, ignored(pair.config().json().ignore()));
                comparison.differences().forEach(difference -> tally.differs(difference.kind()));
                if (!comparison.differences().isEmpty()) {
                    book.add(job.mirror(), pair, comparison.differences());
                }
                tally.compared(comparison.result());
            } catch (StackOverflowError | OutOfMemoryError e) {
                // The bodies come from origins. A failure because of their content must not end the thread.
                tally.compared(MirrorTally.Result.SKIPPED);
                throw new IllegalStateException(
                        "comparing mirrored responses needs too much memory or stack, route "
                                + job.mirror().route(),
                        e);
            }
        }

        @Override
        public void discard(Job job) {
            job.pair().close();
            tallies.of(job.mirror()).compared(MirrorTally.Result.SKIPPED);
        }

        private IgnoredPaths ignored(List<String> paths) {
            if (compiled.size() > SETTINGS) {
                compiled.clear();
            }
            return compiled.computeIfAbsent(paths, IgnoredPaths::of);
        }
    }

    /**
     * Compares the queued pairs for at most two seconds, discards the remaining pairs, and ends the thread. Called
     * after the last copy.
     */
    @Override
    public void close() {
        Comparing running = comparing.get();
        if (running != null && !running.writer().stop(END)) {
            running.queue().abandon();
        }
    }
}
