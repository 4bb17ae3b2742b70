package dev.lychgate.loop;

import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Quota of requests that one event loop iteration may send to origins. An iteration handles all ready sockets and then
 * polls them again. Requests beyond the quota are queued in arrival order until the next iteration. Long work is
 * divided into parts that run at the end of iterations, so that ready sockets are handled between the parts.
 *
 * <p>Without a quota, a loop with a thousand ready clients would send a thousand requests before it reads the first
 * response. With the quota, later requests reuse the connections of earlier ones, and origins have fewer concurrent
 * requests.
 *
 * <p>Used only on its loop.
 */
public final class Turn {
    private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

    private final int most;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private int begun;
    private boolean timed;

    /**
     * Creates a quota.
     *
     * @param most number of requests that may be sent in one turn, at least 1
     */
    public Turn(int most) {
        this.most = most;
    }

    /** Returns an unlimited quota, for loops that do not report the end of an iteration. */
    public static Turn unlimited() {
        return new Turn(Integer.MAX_VALUE);
    }

    /** Returns whether a request may be sent now. If the result is false, the caller uses {@link #await}. */
    public boolean begin() {
        if (begun >= most || !waiting.isEmpty()) {
            return false;
        }
        begun++;
        return true;
    }

    /**
     * Queues a request. A request cannot be removed from the queue, so an aborted request must ignore {@link
     * Waiting#onTurn}.
     */
    public void await(Waiting who) {
        waiting.addLast(who);
    }

    /**
     * Returns the time for which the oldest request has been queued, in nanoseconds; 0 if none is queued.
     *
     * @param now the current time, in nanoseconds
     */
    public long waited(long now) {
        Waiting first = waiting.peekFirst();
        return first == null ? 0 : Math.max(0, now - first.since());
    }

    /** Returns whether no request and no task is queued, so that the loop may block until the next event. */
    public boolean isEmpty() {
        return waiting.isEmpty() && later.isEmpty();
    }

    /**
     * Runs {@code task} at the end of the turn.
     *
     * @return false if the loop does not report the end of turns; in this case, the task is not queued
     */
    boolean later(Runnable task) {
        return most < Integer.MAX_VALUE && later.add(task);
    }

    /**
     * Marks the time of the turn as outdated, so that the next caller that needs it reads the clock. Called before the
     * loop polls its sockets.
     */
    public void poll() {
        timed = false;
    }

    /** Notes that the clock was read. */
    void timed() {
        timed = most < Integer.MAX_VALUE;
    }

    /**
     * Returns whether the clock was read since the turn began; always false if the loop does not report the end of
     * turns.
     */
    boolean isTimed() {
        return timed;
    }

    /**
     * Ends the turn after all ready sockets were handled: runs the tasks that were queued for the end of the turn,
     * starts the oldest queued requests and begins the next turn.
     */
    public void end() {
        timed = false;
        // Tasks that are queued while these tasks run belong to the next turn.
        for (int left = later.size(); left > 0; left--) {
            run(later.remove());
        }
        for (; begun < most; begun++) {
            Waiting first = waiting.pollFirst();
            if (first == null) {
                break;
            }
            start(first);
        }
        begun = 0;
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            log(e);
        }
    }

    private static void start(Waiting request) {
        try {
            request.onTurn();
        } catch (Throwable e) {
            log(e);
        }
    }

    private static void log(Throwable e) {
        // An exception must not stop the other requests or the loop.
        LOG.error("internal error in a queued exchange or task; the event loop continues", e);
    }

    /** A queued request. */
    public interface Waiting {
        /** Returns the time at which the request was queued, in nanoseconds of {@link System#nanoTime()}. */
        long since();

        /** Starts the request. Called on the loop, once for each call of {@link #await}. */
        void onTurn();
    }
}
