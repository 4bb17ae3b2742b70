package dev.lychgate.server.admin;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Computes slow pages, and pages that run filter code, on separate threads, two at most. While both are busy, further requests
 * are rejected with 503.
 */
final class SlowPages implements AutoCloseable {
    private static final int THREADS = 2;

    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger busy = new AtomicInteger();
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** On the event loop, which must not take locks: therefore without an executor. */
    CompletableFuture<AdminAnswer> make(Callable<AdminAnswer> page) {
        if (busy.incrementAndGet() > THREADS || closed) {
            return refuse("other requests for such pages are running; try again");
        }
        CompletableFuture<AdminAnswer> answer = new CompletableFuture<>();
        try {
            Thread thread = new Thread(() -> make(page, answer), "lychgate-admin-page-" + started.incrementAndGet());
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError e) {
            return refuse("no thread is available for the page: " + e.getMessage());
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
            // Before the response: its client may send the next request at once.
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
