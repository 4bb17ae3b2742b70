package dev.lychgate.server.registries;

import dev.lychgate.server.metrics.Distribution;
import java.util.ArrayDeque;
import java.util.Deque;

/** A distribution as it was some marks ago: what has come since is recent. For one thread. */
final class RecentCounts {
    private final int marks;
    private final Deque<Distribution> earlier = new ArrayDeque<>();

    /** @param marks how many are looked back */
    RecentCounts(int marks) {
        this.marks = marks;
        earlier.addLast(Distribution.EMPTY);
    }

    /** What has come since the oldest of the marks; the first of them is the beginning. */
    Distribution since(Distribution now) {
        return now.since(earlier.getFirst());
    }

    void mark(Distribution now) {
        if (earlier.size() == marks) {
            earlier.removeFirst();
        }
        earlier.addLast(now);
    }
}
