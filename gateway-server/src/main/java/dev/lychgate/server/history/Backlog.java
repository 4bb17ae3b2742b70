package dev.lychgate.server.history;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of the changes that wait to be written. Only a few waiting changes may keep the files of their
 * generations in memory. Without this limit, files could fill the memory while the disk is unresponsive. Thread-safe
 * and free of locks.
 */
final class Backlog {
    private static final int MOST = 1024;
    private static final int MOST_WITH_FILES = 8;

    private final Queue<Item> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger withFiles = new AtomicInteger();

    /**
     * @param keep stores the files of the change and returns the digest of their list; null if the change has no
     *     files
     */
    record Item(Change change, @Nullable Supplier<String> keep) {}

    /**
     * Adds a change.
     *
     * @return false if the backlog is full
     */
    boolean add(Change change) {
        return add(new Item(change, null));
    }

    /**
     * Adds a change with files.
     *
     * @return false if the backlog has no room for the files; the caller may still add the change without them
     */
    boolean add(Change change, Supplier<String> keep) {
        if (withFiles.incrementAndGet() <= MOST_WITH_FILES && add(new Item(change, keep))) {
            return true;
        }
        withFiles.decrementAndGet();
        return false;
    }

    private boolean add(Item item) {
        if (waiting.incrementAndGet() > MOST) {
            waiting.decrementAndGet();
            return false;
        }
        queue.add(item);
        return true;
    }

    /** Removes and returns the oldest change; null if there is none. */
    @Nullable
    Item poll() {
        Item next = queue.poll();
        if (next != null) {
            waiting.decrementAndGet();
            if (next.keep() != null) {
                withFiles.decrementAndGet();
            }
        }
        return next;
    }

    /** Returns the number of waiting changes. */
    int size() {
        return waiting.get();
    }
}
