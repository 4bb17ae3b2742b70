package dev.lychgate.server.admin;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Makes answers that take their time, or run code of filters' authors, each on a thread of its own: two at the most. What
 * comes while both are busy is told to come again.
 */
final class SlowPages implements AutoCloseable {
    private static final int THREADS = 2;

    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger busy = new AtomicInteger();
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** On the event loop, which meets no lock here: that is why there is no executor. */
    CompletableFuture<AdminAnswer> make(Supplier<AdminAnswer> page) {
        if (busy.incrementAndGet() > THREADS) {
            busy.decrementAndGet();
            return AdminAnswer.now(AdminAnswer.unavailable("others have asked for such pages; ask again"));
        }
        CompletableFuture<AdminAnswer> answer = new CompletableFuture<>();
        Thread thread = new Thread(() -> make(page, answer), "lychgate-admin-page-" + started.incrementAndGet());
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            busy.decrementAndGet();
            return AdminAnswer.now(AdminAnswer.unavailable("there is no thread to make it: " + e.getMessage()));
        }
        return answer;
    }

    private void make(Supplier<AdminAnswer> page, CompletableFuture<AdminAnswer> answer) {
        Thread self = Thread.currentThread();
        running.add(self);
        if (closed) {
            self.interrupt();
        }
        AdminAnswer made = null;
        Throwable fault = null;
        try {
            made = page.get();
        } catch (RuntimeException | Error e) {
            fault = e;
        }
        running.remove(self);
        // Before the answer: who has it may ask for the next at once.
        busy.decrementAndGet();
        if (fault == null) {
            answer.complete(made);
        } else {
            answer.completeExceptionally(fault);
        }
    }

    @Override
    public void close() {
        closed = true;
        running.forEach(Thread::interrupt);
    }
}
