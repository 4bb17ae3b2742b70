package dev.lychgate.server.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts refused, dropped and undelivered items of the last minute and since the start. The counts are sampled every
 * {@value #EVERY_SECONDS} seconds, so that even the first call of {@link #all} returns the losses of the last minute.
 * Thread-safe.
 */
public final class Losses {
    /** The interval in seconds at which {@link #sample} must be called. */
    public static final long EVERY_SECONDS = 10;

    private static final int SAMPLES = (int) (TimeUnit.MINUTES.toSeconds(1) / EVERY_SECONDS);

    /** The kind of lost items. */
    public enum Kind {
        /** Messages and connections refused for lack of memory. */
        MEMORY,
        /** Log lines. */
        LOG,
        /** Failed requests to a receiver of metrics, spans or log lines, and the lost items in these requests. */
        RECEIVER
    }

    /**
     * One kind of loss.
     *
     * @param name the log, the receiver, or the consumer of the memory
     * @param recent losses within the last minute
     * @param total losses since the start
     */
    public record Loss(Kind kind, String name, long recent, long total, String metric) {}

    private static final class Source {
        final Kind kind;
        final String name;
        final String metric;
        final LongSupplier count;
        /**
         * A ring buffer with the counts at the last samples. The field {@code oldest} contains the index of the oldest
         * sample.
         */
        final long[] samples = new long[SAMPLES];

        int oldest;

        Source(Kind kind, String name, String metric, LongSupplier count) {
            this.kind = kind;
            this.name = name;
            this.metric = metric;
            this.count = count;
            Arrays.fill(samples, count.getAsLong());
        }

        synchronized void sample() {
            samples[oldest] = count.getAsLong();
            oldest = (oldest + 1) % SAMPLES;
        }

        synchronized Loss loss() {
            long total = count.getAsLong();
            return new Loss(kind, name, total - samples[oldest], total, metric);
        }
    }

    private final List<Source> sources = new CopyOnWriteArrayList<>();

    /**
     * Adds a count, which must never decrease and must be cheap to read. Losses before this call never count as recent.
     */
    public void add(Kind kind, String name, String metric, LongSupplier count) {
        sources.add(new Source(kind, name, metric, count));
    }

    /** Takes a sample, which replaces the oldest sample. */
    public void sample() {
        sources.forEach(Source::sample);
    }

    /** Returns every kind of loss that was added, even if no loss has occurred, in the order of the additions. */
    public List<Loss> all() {
        return sources.stream().map(Source::loss).toList();
    }
}
