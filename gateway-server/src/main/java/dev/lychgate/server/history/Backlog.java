package dev.lychgate.server.history;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The changes that wait to be written, up to a bound. Few of them hold on to the files of their generations, which would
 * otherwise fill the memory while the disk is unresponsive. Any thread, without locks.
 */
final class Backlog {
    private static final int MOST = 1024;
    private static final int MOST_WITH_FILES = 8;

    private final Queue<Item> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger withFiles = new AtomicInteger();

    /** @param keep keeps the files of the change and returns the digest of their list; null = it has none */
    record Item(Change change, @Nullable Supplier<String> keep) {}

    /** Adds a change. @return whether there was room */
    boolean add(Change change) {
        return add(new Item(change, null));
    }

    /** Adds a change with files. @return whether there was room; if not, it may still be added without them */
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

    /** Removes the oldest change; null if there is none. */
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

    /** Returns the number of changes that wait. */
    int size() {
        return waiting.get();
    }
}
