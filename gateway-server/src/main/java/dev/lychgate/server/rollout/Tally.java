package dev.lychgate.server.rollout;

import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.generation.Split;
import dev.lychgate.loop.DurationHistogram;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of one generation on one route that ended on one event loop in one step. The loop counts without locks; any
 * thread may read. One increment counts an exchange with all of its properties, so that readers never see a part of one.
 */
final class Tally {
    /** Status classes 1xx to 5xx, by their first digit; 0 for exchanges without a status. */
    static final int CLASSES = 6;

    private static final int FAILED = 1;
    private static final int FILTER_FAILED = 2;
    /** Combinations of the two flags. */
    private static final int FLAGS = 4;

    static final int CELLS = CLASSES * FLAGS;

    /** Durations of up to 131 µs, then one more for each doubling; the last counts 2.1 s and more. */
    static final int SPEEDS = 16;

    private static final int FIRST_SPEED = 17;

    private final String route;
    private final boolean candidate;
    /** By group of clients, so that many exchanges of one client differ from as many of different clients. */
    private final AtomicLongArray cells = new AtomicLongArray(Split.GROUPS * CELLS);

    private final AtomicLongArray speeds = new AtomicLongArray(Split.GROUPS * SPEEDS);
    private final DurationHistogram durations = new DurationHistogram();

    /** The tally that was added to the step before this one. Written before this tally is published. */
    @Nullable
    Tally next;

    /** @param route its id, or {@link RolloutMeter#NO_ROUTE} */
    Tally(String route, boolean candidate) {
        this.route = route;
        this.candidate = candidate;
    }

    String route() {
        return route;
    }

    /** Returns whether it counts exchanges of the candidate. */
    boolean isCandidate() {
        return candidate;
    }

    /** Counts an ended exchange. On the event loop. */
    void count(ExchangeRecord record) {
        GatewayError error = record.error();
        int statusClass = Math.min(record.status() / 100, CLASSES - 1);
        boolean failed = error == null ? statusClass == 5 : error.side() != Side.DOWNSTREAM;
        // The lifetime of a tunnel is not a latency: the measured duration is that of the handshake.
        long nanos = record.tunnelEnd() == null
                ? record.timeline().total()
                : record.timeline().firstByte();
        count(record.group(), statusClass, failed, record.hasFailedFilter(), nanos);
    }

    /** @param group of the client @param nanos the duration; negative if it is unknown */
    void count(int group, int statusClass, boolean failed, boolean filterFailed, long nanos) {
        if (nanos >= 0) {
            durations.record(nanos);
            int speed = group * SPEEDS + speed(nanos);
            speeds.setPlain(speed, speeds.getPlain(speed) + 1);
        }
        int cell = group * CELLS + cell(statusClass, failed, filterFailed);
        // After the duration, so that a reader of the count also finds the duration.
        cells.setRelease(cell, cells.getPlain(cell) + 1);
    }

    /** Adds the counts to sums of the same lengths. Any thread. */
    void addTo(long[] sums, long[] sumsOfSpeeds, DurationHistogram sum) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += cells.getAcquire(i);
        }
        for (int i = 0; i < sumsOfSpeeds.length; i++) {
            sumsOfSpeeds[i] += speeds.getOpaque(i);
        }
        sum.add(durations);
    }

    /** Returns the cell of a duration among the {@value #SPEEDS} of its group. */
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
