package dev.lychgate.loop;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Waits until no event loop can still use an object, after the shared reference to this object has been replaced. A
 * loop reads the reference and uses the object within one task, so after one more task of each loop, the object is out
 * of use. Thread-safe.
 */
public final class LoopBarrier {
    /** The maximum wait for all loops. Without a maximum, a stalled loop would delay a change forever. */
    private static final long LONGEST_SECONDS = 5;

    private final List<Loop> loops = new CopyOnWriteArrayList<>();

    /** Adds a loop that uses the object. */
    public void add(Loop loop) {
        loops.add(loop);
    }

    /** Blocks until each loop has run a task, or until some seconds have passed. Must not be called on an event loop. */
    public void await() {
        CompletableFuture<?>[] passed = loops.stream()
                .filter(loop -> !loop.eventLoop().isShuttingDown())
                .map(loop -> CompletableFuture.runAsync(() -> {}, loop.eventLoop()))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(passed)
                .completeOnTimeout(null, LONGEST_SECONDS, TimeUnit.SECONDS)
                .exceptionally(loopHasEnded -> null)
                .join();
    }
}
