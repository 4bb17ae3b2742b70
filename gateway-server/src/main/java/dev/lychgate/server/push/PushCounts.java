package dev.lychgate.server.push;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The counts of all pushes to one receiver. When the settings of the receiver change, another push replaces the current
 * one, and the counts continue. Thread-safe.
 */
public final class PushCounts {
    private final List<HttpPush> pushes = new ArrayList<>();
    private long delivered;
    private long dropped;
    private long failed;

    /** Adds the push that replaces the current one. The counts of the earlier pushes are kept. */
    public synchronized void add(HttpPush push) {
        pushes.removeIf(this::takesCountsOfEnded);
        pushes.add(push);
    }

    private boolean takesCountsOfEnded(HttpPush push) {
        if (!push.hasEnded()) {
            return false;
        }
        delivered += push.deliveredItems();
        dropped += push.droppedItems();
        failed += push.failedTries();
        return true;
    }

    /** Returns the sum of {@link HttpPush#deliveredItems} over all pushes. */
    public synchronized long delivered() {
        return delivered + sum(HttpPush::deliveredItems);
    }

    /** Returns the sum of {@link HttpPush#droppedItems} over all pushes. */
    public synchronized long dropped() {
        return dropped + sum(HttpPush::droppedItems);
    }

    /** Returns the sum of {@link HttpPush#failedTries} over all pushes. */
    public synchronized long failedTries() {
        return failed + sum(HttpPush::failedTries);
    }

    /** Returns the sum of {@link HttpPush#waitingItems} over all pushes. */
    public synchronized long waiting() {
        return sum(HttpPush::waitingItems);
    }

    private long sum(ToLongFunction<HttpPush> count) {
        return pushes.stream().mapToLong(count).sum();
    }
}
