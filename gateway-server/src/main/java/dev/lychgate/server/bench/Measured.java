package dev.lychgate.server.bench;

import dev.lychgate.loop.DurationHistogram;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The results of requests to one URL. Thread-safe.
 *
 * <p>The latency of a request begins at the time at which the request was due. It therefore includes the time for which
 * the request waited for a slow response to an earlier request (no coordinated omission).
 */
public final class Measured {
    private final DurationHistogram latencies = new DurationHistogram();
    private final Map<String, Long> failures = new TreeMap<>();
    private long responses;
    private long longest;

    /** Counts a response with a status below 500. */
    synchronized void response(long nanos) {
        latencies.record(nanos);
        longest = Math.max(longest, nanos);
        responses++;
    }

    /**
     * Counts a request that failed, or whose response has a status of 500 or above.
     *
     * @param reason the status or the exception, in one word
     */
    synchronized void failure(String reason) {
        failures.merge(reason, 1L, Long::sum);
    }

    /** Adds the results of another measurement of the same URL. */
    public void add(Measured other) {
        synchronized (other) {
            synchronized (this) {
                latencies.add(other.latencies);
                other.failures.forEach((reason, count) -> failures.merge(reason, count, Long::sum));
                responses += other.responses;
                longest = Math.max(longest, other.longest);
            }
        }
    }

    /** Returns the number of responses with a status below 500. */
    public synchronized long responses() {
        return responses;
    }

    /** Returns the number of failed requests by reason: a status, such as {@code 503}, or an exception. */
    public synchronized Map<String, Long> failures() {
        return new TreeMap<>(failures);
    }

    /** Returns a percentile of the latencies, such as 99.9; zero without responses. */
    public synchronized Duration percentile(double percent) {
        if (responses == 0) {
            return Duration.ZERO;
        }
        long nanos = Math.round(latencies.percentile(percent / 100) * 1e9);
        return Duration.ofNanos(Math.min(longest, nanos));
    }

    /** Returns the longest latency. */
    public synchronized Duration longest() {
        return Duration.ofNanos(longest);
    }
}
