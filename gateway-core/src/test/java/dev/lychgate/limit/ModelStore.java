package dev.lychgate.limit;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * A store with virtual time: a question arrives after a delay, and its response after another one, in the order of each gateway's
 * questions as on one connection. Its buckets are a model of the generic cell rate algorithm.
 */
final class ModelStore {
    private record Event(long at, long number, Runnable action) {}

    private final Map<String, Double> full = new HashMap<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>((a, b) -> a.at != b.at ? Long.compare(a.at, b.at) : Long.compare(a.number, b.number));
    private final Queue<Runnable> frozen = new ArrayDeque<>();
    private final SplittableRandom random;
    private final long longestDelay;
    private long number;
    private long now = 1_000_000_000L;
    private boolean isFrozen;
    private boolean isDown;
    private int gateways = 1;
    private int asked;
    private long returned;

    /** @param longestDelay of each way of a message, in nanoseconds */
    ModelStore(SplittableRandom random, long longestDelay) {
        this.random = random;
        this.longestDelay = longestDelay;
    }

    long now() {
        return now;
    }

    /** Returns how many questions were asked. */
    int asked() {
        return asked;
    }

    /** Returns how many units were returned. */
    long returned() {
        return returned;
    }

    void gateways(int count) {
        gateways = count;
    }

    /** Questions wait until {@link #thaw}. */
    void freeze() {
        isFrozen = true;
    }

    void thaw() {
        isFrozen = false;
        for (Runnable next = frozen.poll(); next != null; next = frozen.poll()) {
            next.run();
        }
    }

    /** Questions fail at once. */
    void down(boolean changed) {
        isDown = changed;
    }

    private void at(long time, Runnable action) {
        events.add(new Event(time, number++, action));
    }

    /** Advances the time, with everything that happens meanwhile. */
    void advanceTo(long time) {
        while (!events.isEmpty() && events.peek().at <= time) {
            Event next = events.remove();
            now = Math.max(now, next.at);
            next.action.run();
        }
        now = Math.max(now, time);
    }

    private long[] take(BucketStore.Bucket bucket, long owed, long wanted) {
        double start = Math.max((double) now, full.getOrDefault(bucket.name(), 0.0));
        double time = Math.max((double) now, start + owed * bucket.interval());
        double empty = now + bucket.burst() * bucket.interval();
        long left = (long) Math.floor((empty - time) / bucket.interval() + 1e-6);
        long granted = Math.max(0, Math.min(left, wanted));
        time += granted * bucket.interval();
        left -= granted;
        full.put(bucket.name(), time);
        return new long[] {
            granted, left, left >= 1 ? 0 : Math.max(1, (long) Math.ceil(time + bucket.interval() - empty))
        };
    }

    /** Returns the store as one gateway has it. */
    BucketStore view() {
        return new View();
    }

    private final class View implements BucketStore {
        private long lastArrival;
        private long lastResponse;

        @Override
        public void ask(Bucket bucket, long owed, long wanted, Outcome outcome) {
            asked++;
            returned += Math.max(0, -owed);
            if (isDown) {
                outcome.failed();
                return;
            }
            Runnable question = () -> {
                lastArrival = Math.max(lastArrival, now + delay());
                at(lastArrival, () -> {
                    long[] response = take(bucket, owed, wanted);
                    lastResponse = Math.max(lastResponse, now + delay());
                    at(lastResponse, () -> outcome.granted(response[0], response[1], response[2]));
                });
            };
            if (isFrozen) {
                frozen.add(question);
            } else {
                question.run();
            }
        }

        private long delay() {
            return 1 + random.nextLong(longestDelay);
        }

        @Override
        public int parts() {
            return 1;
        }

        @Override
        public int partOf(String name) {
            return 0;
        }

        @Override
        public int gateways() {
            return gateways;
        }

        @Override
        public long deadline() {
            return 10_000_000;
        }
    }
}
