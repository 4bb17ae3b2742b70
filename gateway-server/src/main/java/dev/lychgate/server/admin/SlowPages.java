package dev.lychgate.server.admin;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

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
    CompletableFuture<AdminAnswer> make(Callable<AdminAnswer> page) {
        if (busy.incrementAndGet() > THREADS || closed) {
            return refuse("others have asked for such pages; ask again");
        }
        CompletableFuture<AdminAnswer> answer = new CompletableFuture<>();
        try {
            Thread thread = new Thread(() -> make(page, answer), "lychgate-admin-page-" + started.incrementAndGet());
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError e) {
            return refuse("there is no thread to make it: " + e.getMessage());
        }
        return answer;
    }

    private CompletableFuture<AdminAnswer> refuse(String why) {
        busy.decrementAndGet();
        return AdminAnswer.now(AdminAnswer.unavailable(why));
    }

    private void make(Callable<AdminAnswer> page, CompletableFuture<AdminAnswer> answer) {
        AdminAnswer made = null;
        Throwable fault = null;
        Thread self = Thread.currentThread();
        running.add(self);
        try {
            if (closed) {
                self.interrupt();
            }
            made = page.call();
        } catch (Rejection e) {
            made = e.answer();
        } catch (Throwable e) {
            fault = e;
        } finally {
            running.remove(self);
            // Before the answer: who has it may ask for the next at once.
            busy.decrementAndGet();
        }
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
