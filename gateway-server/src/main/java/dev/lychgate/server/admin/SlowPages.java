package dev.lychgate.server.admin;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Computes slow pages, and pages that run filter code, on at most two separate threads. While both threads are busy,
 * further requests for such pages are rejected with 503.
 */
final class SlowPages implements AutoCloseable {
    private static final int THREADS = 2;

    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger busy = new AtomicInteger();
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Computes a page on a new thread. Uses no executor, because the event loop calls this method and must not take
     * locks.
     */
    CompletableFuture<AdminResponse> make(Callable<AdminResponse> page) {
        if (busy.incrementAndGet() > THREADS || closed) {
            return refuse("other requests for pages of this kind are still running; try again");
        }
        CompletableFuture<AdminResponse> answer = new CompletableFuture<>();
        try {
            Thread thread = new Thread(() -> make(page, answer), "lychgate-admin-page-" + started.incrementAndGet());
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError e) {
            return refuse("no thread is available for the page: " + e.getMessage());
        }
        return answer;
    }

    private CompletableFuture<AdminResponse> refuse(String why) {
        busy.decrementAndGet();
        return AdminResponse.now(AdminResponse.unavailable(why));
    }

    private void make(Callable<AdminResponse> page, CompletableFuture<AdminResponse> answer) {
        AdminResponse made = null;
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
            // Decremented before the response is sent, because the client may then send the next request at once.
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
