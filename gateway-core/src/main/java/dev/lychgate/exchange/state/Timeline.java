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
 * Times of one exchange, the source of metrics, slow-request records and traces. Points in time are nanoseconds of
 * {@link System#nanoTime()}; 0 means not reached. The exchange writes them; observers read them during a callback on its
 * event loop.
 *
 * <p>Every exchange has a timeline, so the common case allocates nothing further and reuses existing clock readings.
 */
public final class Timeline {
    private static final long UNKNOWN = -1;

    private final long began;
    private long requestEnded;
    private long firstByte;
    private long answered;
    private long ended;
    private @Nullable AttemptView first;
    /** The attempt with the accepted response, otherwise the one that began last; null without attempts. */
    private @Nullable AttemptView last;

    private List<AttemptView> attempts = List.of();
    private @Nullable FilterTimes filters;

    public Timeline(long began) {
        this.began = began;
    }

    // ---- written by the exchange

    /** Records a request without a body. */
    public void requestIsWhole() {
        requestEnded = began;
    }

    public void requestEnded(long now) {
        requestEnded = now;
    }

    /** Records the begin of an attempt. */
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

    /** Selects one of two hedged attempts as the one that counts. */
    public void goesOnWith(AttemptView attempt) {
        last = attempt;
    }

    /** Records the accepted response of an origin. */
    public void firstByte(long at) {
        firstByte = at;
    }

    /** Records the write of the response head to the client. */
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

    /** Recycles the filter record after the last observer. */
    public void close(FilterTimes.Spare spare) {
        FilterTimes times = filters;
        if (times != null) {
            filters = null;
            spare.giveBack(times);
        }
    }

    // ---- read by its observers

    /** Returns when the request head was complete. */
    public long began() {
        return began;
    }

    /** Returns when the head of the accepted response arrived from the origin. */
    public long firstByteAt() {
        return firstByte;
    }

    /** Returns the attempts in the order of their begin. */
    public List<AttemptView> attempts() {
        AttemptView only = first;
        return only == null || !attempts.isEmpty() ? attempts : List.of(only);
    }

    /** Visits the filter calls in the order of their end. */
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

    /** Returns the last attempt's wait for a connection in nanoseconds: 0 for an idle one, -1 for none. */
    public long poolWait() {
        AttemptView a = last;
        return a == null || a.connectedAt() == 0 ? UNKNOWN : a.connectedAt() - a.began();
    }

    /**
     * Returns the connect time of the last attempt's connection, name resolution included, in nanoseconds; -1 if the
     * connection was reused or none was leased.
     */
    public long connect() {
        AttemptView a = last;
        return a == null ? UNKNOWN : a.connectNanos();
    }

    /** Returns the time from the request to the origin's response head, in nanoseconds; -1 without a response. */
    public long firstByte() {
        return firstByte == 0 ? UNKNOWN : firstByte - began;
    }

    /**
     * Returns how long the client waited for the response head, in nanoseconds, without the upload of its body. Excludes the
     * response body, so that a long stream does not count as a slow exchange.
     */
    public long delay() {
        long over = answered == 0 ? ended : answered;
        AttemptView a = last;
        if (a == null || a.connectedAt() == 0) {
            return over - began;
        }
        return over - began - upload(a.connectedAt(), firstByte != 0 ? firstByte : over);
    }

    /** Returns how much of the time between connection and response the client's upload took. */
    private long upload(long connection, long answer) {
        long end = requestEnded == 0 ? answer : Math.min(requestEnded, answer);
        return Math.max(0, end - connection);
    }

    /** Returns the time that the exchange spent in {@code phase}, in nanoseconds; -1 if it did not reach the phase. */
    public long in(TimelinePhase phase) {
        long[] times = new long[TimelinePhase.COUNT];
        times(times);
        return times[phase.index()];
    }

    /** Writes the time of each phase at its {@linkplain TimelinePhase#index() index}, as {@link #in} returns it. */
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
            if (requestEnded != began) {
                into[UPLOAD.index()] = upload;
            }
            into[ORIGIN.index()] = over - connection - upload;
        }
        if (firstByte != 0) {
            into[OUTBOUND.index()] = (answered == 0 ? ended : answered) - firstByte;
        }
    }
}
