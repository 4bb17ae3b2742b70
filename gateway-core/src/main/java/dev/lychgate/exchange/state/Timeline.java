package dev.lychgate.exchange.state;

import static dev.lychgate.exchange.state.TimelinePhase.ATTEMPTS;
import static dev.lychgate.exchange.state.TimelinePhase.BODY;
import static dev.lychgate.exchange.state.TimelinePhase.CONNECT;
import static dev.lychgate.exchange.state.TimelinePhase.CONNECTION;
import static dev.lychgate.exchange.state.TimelinePhase.INBOUND;
import static dev.lychgate.exchange.state.TimelinePhase.ORIGIN;
import static dev.lychgate.exchange.state.TimelinePhase.OUTBOUND;
import static dev.lychgate.exchange.state.TimelinePhase.UPLOAD;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The times of one exchange, from which metrics, slow-request records and traces are derived. Points in time are
 * nanoseconds of {@link System#nanoTime()}; 0 means that the exchange has not reached this point. The exchange writes
 * the times; observers read them during a callback on its event loop.
 *
 * <p>A timeline costs little: an exchange with one attempt allocates no further object, and existing clock readings are
 * reused.
 */
public final class Timeline {
    private static final long UNKNOWN = -1;

    private final long began;
    /**
     * Whether the request has no body. The times do not show this, because a short body may arrive in the same turn as
     * the head.
     */
    private boolean whole;

    private long requestEnded;
    private long firstByte;
    private long answered;
    private long ended;
    private @Nullable AttemptView first;
    /**
     * The current attempt: the attempt that began last or, after a hedge, the attempt with the accepted response. Null
     * if there is no attempt.
     */
    private @Nullable AttemptView last;

    private List<AttemptView> attempts = List.of();
    private @Nullable FilterTimes filters;

    public Timeline(long began) {
        this.began = began;
    }

    // ---- written by the exchange

    /** Records that the request has no body. */
    public void requestIsWhole() {
        whole = true;
        requestEnded = began;
    }

    public void requestEnded(long now) {
        requestEnded = now;
    }

    /** Records the beginning of an attempt. */
    public void attemptBegins(AttemptView next) {
        if (first == null) {
            first = next;
        } else if (attempts.isEmpty()) {
            attempts = new ArrayList<>(List.of(first, next));
        } else {
            attempts.add(next);
        }
        last = next;
    }

    /** Selects one of two hedged attempts as the current attempt. */
    public void goesOnWith(AttemptView attempt) {
        last = attempt;
    }

    /** Records the time at which the head of the accepted response arrived. */
    public void firstByte(long at) {
        firstByte = at;
    }

    /** Records the time at which the response head is written to the client. */
    public void answered(long at) {
        answered = at;
    }

    public void ended(long now) {
        ended = now;
    }

    /** Sets the record of filter calls. */
    public void filters(FilterTimes times) {
        filters = times;
    }

    /** Recycles the record of filter calls. Called after the last observer. */
    public void close(FilterTimes.Spare spare) {
        FilterTimes times = filters;
        if (times != null) {
            filters = null;
            spare.giveBack(times);
        }
    }

    // ---- read by observers

    /** Returns the time at which the request head was complete. */
    public long began() {
        return began;
    }

    /** Returns the time at which the head of the accepted response arrived from the origin. */
    public long firstByteAt() {
        return firstByte;
    }

    /** Returns the attempts in the order in which they began. */
    public List<AttemptView> attempts() {
        AttemptView only = first;
        return only == null || !attempts.isEmpty() ? attempts : List.of(only);
    }

    /** Visits the filter calls in the order in which they ended. */
    public void filters(FilterTimes.Visitor visitor) {
        FilterTimes times = filters;
        if (times != null) {
            times.visit(visitor);
        }
    }

    /** Returns the time from the request head to the last byte of the response, in nanoseconds. */
    public long total() {
        return ended - began;
    }

    /**
     * Returns the time, in nanoseconds, for which the last attempt waited for a connection. The result is 0 if an idle
     * connection was available, and -1 if no connection was leased.
     */
    public long poolWait() {
        AttemptView a = last;
        return a == null || a.connectedAt() == 0 ? UNKNOWN : a.connectedAt() - a.began();
    }

    /**
     * Returns the duration, in nanoseconds, of the connect of the last attempt, including name resolution. The result
     * is -1 if the connection was reused or no connection was leased.
     */
    public long connect() {
        AttemptView a = last;
        return a == null ? UNKNOWN : a.connectNanos();
    }

    /** Returns the time from the request head to the origin's response head, in nanoseconds; -1 without a response. */
    public long firstByte() {
        return firstByte == 0 ? UNKNOWN : firstByte - began;
    }

    /**
     * Returns the time, in nanoseconds, for which the client waited for the response head. The result excludes the
     * upload of the request body and the transfer of the response body, so that a long stream does not count as a slow
     * exchange.
     */
    public long delay() {
        long over = answered == 0 ? ended : answered;
        AttemptView a = last;
        if (a == null || a.connectedAt() == 0) {
            return over - began;
        }
        return over - began - upload(a.connectedAt(), firstByte != 0 ? firstByte : over);
    }

    /**
     * Returns how long, in nanoseconds, the client uploaded the body between the lease of the connection and the
     * response head.
     */
    private long upload(long connection, long answer) {
        long end = requestEnded == 0 ? answer : Math.min(requestEnded, answer);
        return Math.max(0, end - connection);
    }

    /**
     * Returns the time that the exchange spent in {@code phase}, in nanoseconds; -1 if the exchange did not reach the
     * phase.
     */
    public long in(TimelinePhase phase) {
        long[] times = new long[TimelinePhase.COUNT];
        times(times);
        return times[phase.index()];
    }

    /**
     * Writes the time of each phase to the element at its {@linkplain TimelinePhase#index() index}. The values are the
     * same as in {@link #in}.
     */
    public void times(long[] into) {
        Arrays.fill(into, UNKNOWN);
        AttemptView a = last;
        AttemptView one = first;
        if (answered != 0) {
            into[BODY.index()] = ended - answered;
        }
        if (a == null || one == null) {
            into[INBOUND.index()] = (answered == 0 ? ended : answered) - began;
            return;
        }
        boolean connected = a.connectedAt() != 0;
        long over = firstByte != 0 ? firstByte : answered != 0 ? answered : ended;
        long connection = connected ? a.connectedAt() : over;
        into[INBOUND.index()] = one.began() - began;
        if (a != one) {
            into[ATTEMPTS.index()] = a.began() - one.began();
        }
        into[CONNECTION.index()] = connection - a.began();
        into[CONNECT.index()] = a.connectNanos();
        if (connected) {
            long upload = upload(connection, over);
            if (!whole) {
                into[UPLOAD.index()] = upload;
            }
            into[ORIGIN.index()] = over - connection - upload;
        }
        if (firstByte != 0) {
            into[OUTBOUND.index()] = (answered == 0 ? ended : answered) - firstByte;
        }
    }
}
