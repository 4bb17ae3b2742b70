package dev.lychgate.loop;

import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A turn of an event loop: it takes what has arrived on its sockets, and then looks at them anew. In one turn no more than a
 * certain number of requests are sent to origins; the others wait, first come, first served, and the loop looks at its sockets
 * before it goes on with them. So when a thousand clients ask at the same time, the answers to the first of them are sent before
 * the last ones are asked for: their connections to origins serve the next ones while they are still in the processor's
 * caches, and origins meet no more at once than they have to. An origin that takes its time is asked as much as ever: a turn
 * without answers is a short one.
 *
 * <p>Used on its loop only.
 */
public final class Turn {
    private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

    private final int most;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private int begun;

    /** @param most how many may begin in one turn, at least 1 */
    public Turn(int most) {
        this.most = most;
    }

    /** One without a limit, for loops that don't tell when their turns end. */
    public static Turn unlimited() {
        return new Turn(Integer.MAX_VALUE);
    }

    /** Whether a request may be sent now. If not, {@link #await} its turn. */
    public boolean begin() {
        if (begun >= most || !waiting.isEmpty()) {
            return false;
        }
        begun++;
        return true;
    }

    /** Remembers who waits. Nobody leaves: whoever is told and has no use for it any more does nothing. */
    public void await(Waiting who) {
        waiting.addLast(who);
    }

    /** How long whoever waits longest has waited, in nanoseconds; 0 if nobody waits. @param now the present, likewise */
    public long waited(long now) {
        Waiting first = waiting.peekFirst();
        return first == null ? 0 : Math.max(0, now - first.since());
    }

    /** Whether nobody waits, so that the loop may sleep until something happens. */
    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** All sockets that were ready have been looked at: those who have waited longest may begin, and the next turn does. */
    public void end() {
        for (; begun < most; begun++) {
            Waiting first = waiting.pollFirst();
            if (first == null) {
                break;
            }
            tell(first);
        }
        begun = 0;
    }

    private static void tell(Waiting who) {
        try {
            who.onTurn();
        } catch (Throwable e) {
            // Whatever it was, the others, and the loop, must not die of it.
            LOG.error("a fault of ours in a request that had waited for its turn", e);
        }
    }

    /** Whoever waits for a turn. */
    public interface Waiting {
        /** Since when it waits, in nanoseconds of {@link System#nanoTime()}. */
        long since();

        /** It may begin now. Called on the loop, once per {@link #await}. */
        void onTurn();
    }
}
