package dev.lychgate.resilience;

import java.util.Comparator;
import java.util.PriorityQueue;

/** A sequence of events in virtual time, in nanoseconds; events with the same time occur in the order of their registration. */
final class Simulation {
    static final long MS = 1_000_000;
    static final long SECOND = 1000 * MS;

    private record Event(long time, long order, Runnable what) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::order));
    private long order;
    private long now;

    long now() {
        return now;
    }

    void after(long delay, Runnable what) {
        events.add(new Event(now + delay, order++, what));
    }

    /** Runs {@code what} this number of times a second, evenly, until {@code end}. */
    void every(int perSecond, long end, Runnable what) {
        after(SECOND / perSecond, () -> {
            if (now < end) {
                what.run();
                every(perSecond, end, what);
            }
        });
    }

    void runUntil(long end) {
        while (!events.isEmpty() && events.element().time() <= end) {
            Event next = events.remove();
            now = next.time();
            next.what().run();
        }
        now = end;
    }
}
