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
 * When an exchange came how far: its own story, from which metrics, slow-request records and traces are made. Points in time
 * are nanoseconds of {@link System#nanoTime()}, 0 where it did not come so far. Written by the exchange, read by its observers
 * while they are told of it, on its event loop.
 *
 * <p>It is kept for every exchange. So it makes nothing of its own where all goes well, and hardly ever asks the clock: most
 * points are readings that somebody else has needed anyway.
 */
public final class Timeline {
    private static final long UNKNOWN = -1;

    private final long began;
    private long requestEnded;
    private long firstByte;
    private long answered;
    private long ended;
    private @Nullable AttemptView first;
    /** The attempt whose answer was taken, or else the one that began last; null if there was none. */
    private @Nullable AttemptView last;

    private List<AttemptView> attempts = List.of();
    private @Nullable FilterTimes filters;

    public Timeline(long began) {
        this.began = began;
    }

    // ---- written by the exchange

    /** The request has no body. */
    public void requestIsWhole() {
        requestEnded = began;
    }

    public void requestEnded(long now) {
        requestEnded = now;
    }

    /** Another attempt begins. */
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

    /** One of two attempts beside each other is the one that counts. */
    public void goesOnWith(AttemptView attempt) {
        last = attempt;
    }

    /** An origin's answer is the one that is taken. */
    public void firstByte(long at) {
        firstByte = at;
    }

    /** The answer's head goes to the client. */
    public void answered(long at) {
        answered = at;
    }

    public void ended(long now) {
        ended = now;
    }

    /** Where its filters are written down. */
    public void filters(FilterTimes times) {
        filters = times;
    }

    /** No observer reads it any more. */
    public void close(FilterTimes.Spare spare) {
        FilterTimes times = filters;
        if (times != null) {
            filters = null;
            spare.giveBack(times);
        }
    }

    // ---- read by its observers

    /** When the head of the request was there. */
    public long began() {
        return began;
    }

    /** When the head of the answer that was taken had come from the origin. */
    public long firstByteAt() {
        return firstByte;
    }

    /** The attempts, in the order in which they began. */
    public List<AttemptView> attempts() {
        AttemptView only = first;
        return only == null || !attempts.isEmpty() ? attempts : List.of(only);
    }

    /** Tells of the filters that ran, in the order in which they ended. */
    public void filters(FilterTimes.Visitor visitor) {
        FilterTimes times = filters;
        if (times != null) {
            times.visit(visitor);
        }
    }

    /** From the request head to the last byte of the answer, in nanoseconds. */
    public long total() {
        return ended - began;
    }

    /**
     * The last attempt's wait for a connection, connects included, in nanoseconds: 0 if one was at hand; -1 if none came.
     */
    public long poolWait() {
        AttemptView a = last;
        return a == null || a.connectedAt() == 0 ? UNKNOWN : a.connectedAt() - a.began();
    }

    /**
     * How long the connection of the last attempt took to open, name resolution included, in nanoseconds; -1 if it had
     * been open before, or if none came.
     */
    public long connect() {
        AttemptView a = last;
        return a == null ? UNKNOWN : a.connectNanos();
    }

    /** From the request to the head of the origin's answer, in nanoseconds; -1 if none came. */
    public long firstByte() {
        return firstByte == 0 ? UNKNOWN : firstByte - began;
    }

    /**
     * How long the client has waited for the answer to begin, in nanoseconds; what it took to send its body aside. What
     * follows, an answer that streams for an hour, say, makes no exchange slow.
     */
    public long delay() {
        long over = answered == 0 ? ended : answered;
        AttemptView a = last;
        if (a == null || a.connectedAt() == 0) {
            return over - began;
        }
        return over - began - upload(a.connectedAt(), firstByte != 0 ? firstByte : over);
    }

    /** What of the time between the connection and the answer the client has taken to send its body. */
    private long upload(long connection, long answer) {
        long end = requestEnded == 0 ? answer : Math.min(requestEnded, answer);
        return Math.max(0, end - connection);
    }

    /** How long the exchange was in {@code phase}, in nanoseconds; -1 if it did not come to it. */
    public long in(TimelinePhase phase) {
        long[] times = new long[TimelinePhase.COUNT];
        times(times);
        return times[phase.index()];
    }

    /** Writes how long it was in each phase to that one's {@linkplain TimelinePhase#index() place}, as {@link #in} tells it. */
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
