package dev.lychgate.loop;

import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Quota of requests that one event loop iteration may send to origins. An iteration handles all ready sockets and then polls
 * them again. Requests beyond the quota wait in arrival order until the next iteration. Long work continues at the end of an
 * iteration, so that ready sockets are handled between its parts.
 *
 * <p>With a thousand concurrent clients, the first responses are therefore sent before the last requests. The origin
 * connections of these responses serve the next requests while their data is still in the processor's caches, and
 * origins face less concurrency. The throughput of slow origins is not reduced, because an iteration without responses
 * is short.
 *
 * <p>Used only on its loop.
 */
public final class Turn {
    private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

    private final int most;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private int begun;

    /** @param most requests that may begin in one turn, at least 1 */
    public Turn(int most) {
        this.most = most;
    }

    /** Returns an unlimited quota, for loops that do not report the end of an iteration. */
    public static Turn unlimited() {
        return new Turn(Integer.MAX_VALUE);
    }

    /** Returns whether a request may be sent now. If not, use {@link #await}. */
    public boolean begin() {
        if (begun >= most || !waiting.isEmpty()) {
            return false;
        }
        begun++;
        return true;
    }

    /** Queues a request. A request cannot leave the queue: if it is aborted, it ignores its turn. */
    public void await(Waiting who) {
        waiting.addLast(who);
    }

    /**
     * Returns the time that the oldest request has waited, in nanoseconds; 0 if none waits.
     *
     * @param now the current time, in nanoseconds
     */
    public long waited(long now) {
        Waiting first = waiting.peekFirst();
        return first == null ? 0 : Math.max(0, now - first.since());
    }

    /** Returns whether nothing waits, so that the loop may block until the next event. */
    public boolean isEmpty() {
        return waiting.isEmpty() && later.isEmpty();
    }

    /**
     * Runs {@code task} at the end of the turn.
     *
     * @return false if the end of turns is not reported, so that the task is not queued
     */
    boolean later(Runnable task) {
        return most < Integer.MAX_VALUE && later.add(task);
    }

    /**
     * Ends the turn after all ready sockets were handled: runs the tasks for its end, starts the oldest waiting requests and
     * begins the next turn.
     */
    public void end() {
        // Tasks that are added while these run belong to the next turn.
        for (int left = later.size(); left > 0; left--) {
            run(later.remove());
        }
        for (; begun < most; begun++) {
            Waiting first = waiting.pollFirst();
            if (first == null) {
                break;
            }
            run(first::onTurn);
        }
        begun = 0;
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            // An exception must not stop the other requests or the loop.
            LOG.error("internal error in an exchange that waited for its turn", e);
        }
    }

    /** A request that waits for a turn. */
    public interface Waiting {
        /** Returns when the wait began, in nanoseconds of {@link System#nanoTime()}. */
        long since();

        /** Starts the request. Called on the loop, once per {@link #await}. */
        void onTurn();
    }
}
