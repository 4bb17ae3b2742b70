package dev.lychgate.server.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What was refused, dropped or not delivered within the last minute. It keeps the counts of the last minute,
 * {@value #EVERY_SECONDS} seconds apart, by which a loss is recent even at the first look. Any thread.
 */
public final class Losses {
    /** How often {@link #sample} is to be called. */
    public static final long EVERY_SECONDS = 10;

    private static final int SAMPLES = (int) (TimeUnit.MINUTES.toSeconds(1) / EVERY_SECONDS);

    /** What is lost. */
    public enum Kind {
        /** Messages and connections, for want of memory. */
        MEMORY,
        /** Lines of a log. */
        LOG,
        /** Requests to a receiver of metrics, spans or log lines, and the items in them. */
        RECEIVER
    }

    /**
     * One kind of loss.
     *
     * @param name which log or receiver, or what needed the memory
     * @param recent how many within the last minute
     * @param total how many since the start
     * @param metric the metric that counts them all
     */
    public record Loss(Kind kind, String name, long recent, long total, String metric) {}

    private static final class Source {
        final Kind kind;
        final String name;
        final String metric;
        final LongSupplier count;
        /** The count at the last samples; which of them is the oldest. */
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

    /** Adds a count that only grows and costs little to read. Losses before this call are not recent. */
    public void add(Kind kind, String name, String metric, LongSupplier count) {
        sources.add(new Source(kind, name, metric, count));
    }

    /** Forgets what is older than a minute. */
    public void sample() {
        sources.forEach(Source::sample);
    }

    /** Returns every kind of loss, those without any included, in the order in which they were added. */
    public List<Loss> all() {
        return sources.stream().map(Source::loss).toList();
    }
}
