package dev.lychgate.server.rollout;

import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.generation.Split;
import dev.lychgate.loop.DurationHistogram;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The counts of exchanges that ended on one event loop during one step of a rollout, for one generation and one route.
 * The loop counts without locks, and any thread may read. A single increment counts an exchange with all its
 * properties, so readers never see only a part of the properties.
 */
final class Tally {
    /** The number of status classes: 1xx to 5xx by their first digit, and 0 for exchanges without a status. */
    static final int CLASSES = 6;

    private static final int FAILED = 1;
    private static final int FILTER_FAILED = 2;
    /** The number of combinations of the two flags of an exchange: whether it failed, and whether a filter failed. */
    private static final int FLAGS = 4;

    static final int CELLS = CLASSES * FLAGS;

    /**
     * The number of classes of durations. The first counts durations up to 131 µs, each further class doubles the
     * limit, and the last counts durations of 2.1 s and more.
     */
    static final int SPEEDS = 16;

    private static final int FIRST_SPEED = 17;

    private final String route;
    private final boolean candidate;
    /**
     * The numbers of exchanges, by group of clients. The groups show whether the exchanges with a property come from
     * one client or from many.
     */
    private final AtomicLongArray cells = new AtomicLongArray(Split.GROUPS * CELLS);

    private final AtomicLongArray speeds = new AtomicLongArray(Split.GROUPS * SPEEDS);
    private final DurationHistogram durations = new DurationHistogram();

    /** The tally that was added to the step immediately before this tally. Written before this tally is published. */
    @Nullable
    Tally next;

    /** @param route the id of the route, or {@link RolloutMeter#NO_ROUTE} */
    Tally(String route, boolean candidate) {
        this.route = route;
        this.candidate = candidate;
    }

    String route() {
        return route;
    }

    /** Returns whether this tally counts exchanges of the candidate. */
    boolean isCandidate() {
        return candidate;
    }

    /** Counts an exchange that has ended. Called on the event loop. */
    void count(ExchangeRecord record) {
        GatewayError error = record.error();
        int statusClass = Math.min(record.status() / 100, CLASSES - 1);
        boolean failed = error == null ? statusClass == 5 : error.side() != Side.DOWNSTREAM;
        // The lifetime of a tunnel is not a latency, so the duration of its handshake is counted instead.
        long nanos = record.tunnelEnd() == null
                ? record.timeline().total()
                : record.timeline().firstByte();
        count(record.group(), statusClass, failed, record.hasFailedFilter(), nanos);
    }

    /**
     * @param group the group of the client
     * @param nanos the duration in nanoseconds; negative if unknown
     */
    void count(int group, int statusClass, boolean failed, boolean filterFailed, long nanos) {
        if (nanos >= 0) {
            durations.record(nanos);
            int speed = group * SPEEDS + speed(nanos);
            speeds.setPlain(speed, speeds.getPlain(speed) + 1);
        }
        int cell = group * CELLS + cell(statusClass, failed, filterFailed);
        // The exchange is counted after its duration, so that a reader who sees the exchange also sees the duration.
        cells.setRelease(cell, cells.getPlain(cell) + 1);
    }

    /** Adds the counts to arrays of sums, which must be as long as the arrays of counts. Thread-safe. */
    void addTo(long[] sums, long[] sumsOfSpeeds, DurationHistogram sum) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += cells.getAcquire(i);
        }
        for (int i = 0; i < sumsOfSpeeds.length; i++) {
            sumsOfSpeeds[i] += speeds.getOpaque(i);
        }
        sum.add(durations);
    }

    /** Returns the index of a duration among the {@value #SPEEDS} classes of its group. */
    static int speed(long nanos) {
        int doublings = Long.SIZE - Long.numberOfLeadingZeros(nanos) - FIRST_SPEED;
        return Math.max(0, Math.min(SPEEDS - 1, doublings));
    }

    static int cell(int statusClass, boolean failed, boolean filterFailed) {
        return statusClass * FLAGS + (failed ? FAILED : 0) + (filterFailed ? FILTER_FAILED : 0);
    }

    static int statusClass(int cell) {
        return cell / FLAGS;
    }

    static boolean isFailed(int cell) {
        return (cell & FAILED) != 0;
    }

    static boolean isFilterFailed(int cell) {
        return (cell & FILTER_FAILED) != 0;
    }
}
