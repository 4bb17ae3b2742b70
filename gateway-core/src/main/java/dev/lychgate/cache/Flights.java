package dev.lychgate.cache;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Requests in progress for keys without a usable response. Further requests for such a key may wait for the first one. Thread-safe.
 */
final class Flights {
    private static final int SLOTS = 1 << 12;
    /** The time for which requests for a key are not made to wait after its response could not be stored, in seconds. */
    private static final int UNCACHEABLE_SECONDS = 10;

    private final ConcurrentHashMap<String, Flight> open = new ConcurrentHashMap<>();
    /** Hashes of keys whose last response could not be stored, each with the second until which that counts. */
    private final AtomicLongArray uncacheable = new AtomicLongArray(SLOTS);

    private final AtomicInteger waiting = new AtomicInteger();

    /** Begins a flight for a key, or returns the one that is open. The caller leads the flight if {@code own} is returned. */
    Flight begin(Flight own) {
        Flight other = open.putIfAbsent(own.key, own);
        return other == null ? own : other;
    }

    Flight flight(String key) {
        return new Flight(key);
    }

    int waiting() {
        return waiting.get();
    }

    /** Records that the response of a key could not be stored. @param now the monotonic clock in seconds */
    void uncacheable(String key, long now) {
        uncacheable.set(slot(key), ((long) key.hashCode() << 32) | ((now + UNCACHEABLE_SECONDS) & 0xffffffffL));
    }

    /** Returns whether requests for a key need not wait, because its last response could not be stored. */
    boolean isUncacheable(String key, long now) {
        long noted = uncacheable.get(slot(key));
        return (int) (noted >> 32) == key.hashCode() && (int) noted - (int) now > 0;
    }

    private static int slot(String key) {
        int hash = key.hashCode() * 0x9e3779b9;
        return hash >>> 20;
    }

    /** One request on which others wait. */
    final class Flight {
        private static final Waiter LANDED = new Waiter(() -> {}, null);

        private final String key;
        private final AtomicReference<@Nullable Waiter> waiters = new AtomicReference<>();

        Flight(String key) {
            this.key = key;
        }

        /**
         * Waits for the end.
         *
         * @param wake runs at the end, on the event loop of the request that ends
         * @return false if the flight has already ended
         */
        boolean join(Runnable wake) {
            Waiter before = waiters.get();
            while (before != LANDED) {
                if (waiters.compareAndSet(before, new Waiter(wake, before))) {
                    waiting.incrementAndGet();
                    return true;
                }
                before = waiters.get();
            }
            return false;
        }

        /** Ends the flight. May be called more than once. */
        void land() {
            open.remove(key, this);
            for (Waiter each = waiters.getAndSet(LANDED); each != null; each = each.next) {
                if (each != LANDED) {
                    waiting.decrementAndGet();
                    each.wake.run();
                }
            }
        }
    }

    private static final class Waiter {
        private final Runnable wake;
        private final @Nullable Waiter next;

        Waiter(Runnable wake, @Nullable Waiter next) {
            this.wake = wake;
            this.next = next;
        }
    }
}
