package dev.lychgate.loop;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All deadlines of one event loop: a ring of slots, one per {@linkplain #TICK tick}, each a doubly linked list. Arming,
 * moving and removing are O(1), without allocation and without a task per deadline; one sweep per tick looks at one
 * slot.
 *
 * <p>Moving a deadline to a later time does not touch the ring: it stays where it hangs, and the sweep that finds it too
 * early hangs it further on. So a connection that is armed at every request (always later) costs the ring almost
 * nothing. Deadlines beyond the ring's horizon hang in its last slot and are moved on in the same way.
 *
 * <p>The wheel is swept once per tick. A deadline is never met early: never before the sweep that follows its time. A
 * length that is a whole number of ticks is overstepped by at most one of them, any other by less than two.
 *
 * <p>A deadline that throws is logged and does not keep the others from being told.
 */
public final class DeadlineWheel {
    /** Resolution, in nanoseconds: 100 ms. */
    public static final long TICK = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Logger LOG = LoggerFactory.getLogger(DeadlineWheel.class);

    private static final int SLOTS = 1024;

    private final @Nullable Deadline[] slots = new Deadline[SLOTS];
    /** Up to where slots have been swept. */
    private long now;
    /** The latest time anybody on this loop has read: never behind {@link #now}. */
    private long clock;

    private int armed;

    /** @param now the clock at the start, in nanoseconds */
    public DeadlineWheel(long now) {
        this.now = now;
        this.clock = now;
    }

    /** The wheel's clock, in nanoseconds: the latest time read on this loop. Costs nothing, and is about a tick behind. */
    public long now() {
        return clock;
    }

    /** Takes a time that somebody on this loop has just read, so that a loop that fell behind arms nothing too early. */
    void observe(long time) {
        if (time > clock) {
            clock = time;
        }
    }

    /** How many deadlines hang in the ring, those disarmed but not yet removed included. */
    public int size() {
        return armed;
    }

    /** Makes {@code deadline} due {@code delay} nanoseconds from now, whatever it was before. */
    public void arm(Deadline deadline, long delay) {
        // The present lies before the next sweep, or, on a loop that fell behind, at about the latest time read.
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

    /** Makes {@code deadline} never due; it stays in the ring until its slot passes or it is {@linkplain #remove removed}. */
    public void disarm(Deadline deadline) {
        deadline.at = Deadline.NEVER;
    }

    /** Takes {@code deadline} out of the ring: nothing here refers to it any more. */
    public void remove(Deadline deadline) {
        deadline.at = Deadline.NEVER;
        if (deadline.linked) {
            unlink(deadline);
        }
    }

    /** Moves the clock to {@code time} and tells every deadline that is due. */
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
        // The list is cut off first: what is armed from here on goes into the ring, not into the list under our feet.
        // A deadline told here may remove another one of the same list, so the head is taken anew each time.
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
            // Whatever it was, the loop's other deadlines, and all its later sweeps, must not die of it.
            if (!Headroom.isRefusal(e, LOG)) {
                LOG.error("a fault of ours in a deadline", e);
            }
        }
    }

    private void link(Deadline d) {
        long horizon = now + (SLOTS - 1) * TICK;
        long due = Math.min(d.at, horizon);
        // Round up to the next slot boundary on this wheel's grid, which is anchored at "now".
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

    /** Stands before the list being swept, so that unlinking its first element needs no special case. */
    private static final class Head extends Deadline {
        @Override
        protected void onDeadline() {
            throw new IllegalStateException("the head of a list is never due");
        }
    }
}
