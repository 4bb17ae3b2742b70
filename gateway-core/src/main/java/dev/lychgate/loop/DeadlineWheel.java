package dev.lychgate.loop;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All deadlines of one event loop, in a ring of slots. There is one slot per {@linkplain #TICK tick}, and each slot is
 * a doubly linked list. Arming, moving and removing a deadline are O(1) and allocate no memory. At each tick, a sweep
 * visits one slot.
 *
 * <p>Moving a deadline to a later time does not change the ring. A sweep that finds this deadline moves it to its new
 * slot. A connection that re-arms its deadline at every request therefore costs almost nothing. A deadline beyond the
 * end of the ring waits in the last slot. When that slot is swept, the deadline moves on.
 *
 * <p>A deadline fires at the first sweep after its time, never earlier. If its delay is a whole number of ticks, it
 * fires at most one tick late. With any other delay, it fires less than two ticks late.
 *
 * <p>An exception that a deadline throws is logged and does not affect other deadlines.
 */
public final class DeadlineWheel {
    /** Resolution, in nanoseconds: 100 ms. */
    public static final long TICK = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Logger LOG = LoggerFactory.getLogger(DeadlineWheel.class);

    private static final int SLOTS = 1024;

    private final @Nullable Deadline[] slots = new Deadline[SLOTS];
    /** The time up to which slots have been swept, in nanoseconds. */
    private long now;
    /** The latest clock reading on this loop, in nanoseconds; never earlier than {@link #now}. */
    private long clock;

    private int armed;

    /**
     * Creates an empty wheel.
     *
     * @param now start time, in nanoseconds
     */
    public DeadlineWheel(long now) {
        this.now = now;
        this.clock = now;
    }

    /**
     * Returns the latest time that was read on this loop, in nanoseconds. This time may be about one tick old, but
     * reading it needs no call of the system clock.
     */
    public long now() {
        return clock;
    }

    /**
     * Advances the clock to a time that was just read on this loop. Without this call, a delayed loop would arm
     * deadlines for times that are too early.
     */
    void observe(long time) {
        if (time > clock) {
            clock = time;
        }
    }

    /** Returns the number of deadlines in the ring, including disarmed deadlines that have not been removed yet. */
    public int size() {
        return armed;
    }

    /** Arms {@code deadline} for a time {@code delay} nanoseconds from now, in place of its previous time. */
    public void arm(Deadline deadline, long delay) {
        // An upper bound of the current time: the next sweep or, on a delayed loop, the latest time read.
        long present = Math.max(clock, now + TICK);
        long at = present + delay;
        deadline.at = at < present ? Deadline.NEVER - 1 : at;
        if (deadline.linked) {
            if (deadline.at >= deadline.slotTime) {
                return;
            }
            unlink(deadline);
        }
        link(deadline);
    }

    /**
     * Disarms {@code deadline}, which stays in the ring until its slot is swept or it is {@linkplain #remove removed}.
     */
    public void disarm(Deadline deadline) {
        deadline.at = Deadline.NEVER;
    }

    /** Removes {@code deadline} from the ring, which keeps no reference to it. */
    public void remove(Deadline deadline) {
        deadline.at = Deadline.NEVER;
        if (deadline.linked) {
            unlink(deadline);
        }
    }

    /** Advances the clock to {@code time} and runs every deadline that is due. */
    public void sweep(long time) {
        observe(time);
        while (time - now >= TICK) {
            now += TICK;
            sweepSlot();
        }
    }

    private void sweepSlot() {
        int index = index(now);
        @Nullable Deadline head = slots[index];
        slots[index] = null;
        // The list is detached first, so that deadlines that are armed during the sweep are added to the ring and not
        // to this list. A deadline may remove another deadline from this list, so each iteration reads its first
        // element.
        Deadline sentinel = new Head();
        sentinel.next = head;
        if (head != null) {
            head.previous = sentinel;
        }
        for (Deadline d = sentinel.next; d != null; d = sentinel.next) {
            unlink(d);
            if (d.at <= now) {
                d.at = Deadline.NEVER;
                tell(d);
            } else if (d.at != Deadline.NEVER) {
                link(d);
            }
        }
    }

    private static void tell(Deadline d) {
        try {
            d.onDeadline();
        } catch (Throwable e) {
            // An exception must not stop the other deadlines or later sweeps of this loop.
            if (!Headroom.isRefusal(e, LOG)) {
                LOG.error("internal error in a deadline task; other tasks continue", e);
            }
        }
    }

    private void link(Deadline d) {
        long horizon = now + (SLOTS - 1) * TICK;
        long due = Math.min(d.at, horizon);
        // Rounds up to the next slot boundary; boundaries are whole ticks after "now".
        long ticks = Math.max(1, (due - now + TICK - 1) / TICK);
        d.slotTime = now + Math.min(ticks, SLOTS - 1) * TICK;
        int index = index(d.slotTime);
        Deadline head = slots[index];
        d.previous = null;
        d.next = head;
        if (head != null) {
            head.previous = d;
        }
        slots[index] = d;
        d.linked = true;
        armed++;
    }

    private void unlink(Deadline d) {
        Deadline p = d.previous;
        Deadline n = d.next;
        if (p != null) {
            p.next = n;
        } else {
            slots[index(d.slotTime)] = n;
        }
        if (n != null) {
            n.previous = p;
        }
        d.previous = null;
        d.next = null;
        d.linked = false;
        armed--;
    }

    private static int index(long time) {
        return Math.floorMod(Math.floorDiv(time, TICK), SLOTS);
    }

    /** Sentinel before the list that is being swept, so that unlinking the first element needs no special case. */
    private static final class Head extends Deadline {
        @Override
        protected void onDeadline() {
            throw new IllegalStateException("the head of a list is never due");
        }
    }
}
