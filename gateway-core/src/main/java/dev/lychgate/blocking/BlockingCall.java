package dev.lychgate.blocking;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.filter.FilterLog;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * One call of a blocking filter. The call completes on its own thread. {@link #cancel} may end the call before it
 * starts or while it runs. A running call cannot be forced to stop: if the call ignores the interrupt, it keeps its
 * thread.
 */
final class BlockingCall<T> extends CompletableFuture<T> implements Runnable {
    private enum Progress {
        /** No thread has started the call. */
        WAITING,
        /** A thread runs the call. */
        BEGUN,
        /** The call was cancelled before a thread started it, so it never runs. */
        GIVEN_UP,
        /** The call has ended. It no longer occupies a thread. */
        OVER
    }

    /** The filter whose bulkhead the call occupies. */
    final FilterSlot slot;

    final LogMark mark;
    private final Callable<T> call;
    private final BlockingThreads threads;
    /** Delivers interrupts: an interrupt reaches the thread only while the thread runs this call. */
    private final FutureTask<@Nullable Void> task;
    /**
     * The state {@code WAITING} ends when a thread starts the call or when the caller cancels the call, whichever is
     * first.
     */
    private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.WAITING);

    private volatile @Nullable Thread thread;
    /** The time of the cancellation, in nanoseconds. {@link LingeringCalls} reads this field and {@link #told}. */
    private long givenUp;

    private @Nullable FilterSlot told;

    BlockingCall(FilterSlot slot, LogMark mark, Callable<T> call, BlockingThreads threads) {
        this.slot = slot;
        this.mark = mark;
        this.call = call;
        this.threads = threads;
        this.task = new FutureTask<>(this::answer, null);
    }

    /** Runs the call, unless the call is cancelled or must be queued again. */
    @Override
    public void run() {
        if (threads.putsBack(this)) {
            return;
        }
        try {
            if (progress.compareAndSet(Progress.WAITING, Progress.BEGUN)) {
                thread = Thread.currentThread();
                threads.onBegin(this);
                task.run();
            }
        } finally {
            thread = null;
            progress.set(Progress.OVER);
            threads.onEnd(this);
        }
    }

    private void answer() {
        MDC.put(FilterLog.REQUEST_ID, mark.requestId());
        if (mark.route() != null) {
            MDC.put(FilterLog.ROUTE, mark.route());
        }
        try {
            complete(call.call());
        } catch (Throwable e) {
            completeExceptionally(e);
        } finally {
            MDC.remove(FilterLog.REQUEST_ID);
            MDC.remove(FilterLog.ROUTE);
        }
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        boolean cancelled = super.cancel(mayInterrupt);
        // A call that has not started keeps its permit until a thread dequeues it.
        if (cancelled && !progress.compareAndSet(Progress.WAITING, Progress.GIVEN_UP)) {
            task.cancel(mayInterrupt);
            givenUp = System.nanoTime();
            threads.onGivenUp(this);
        }
        return cancelled;
    }

    // ---- for the check of lingering calls

    /** Returns the filter that runs. */
    FilterSlot running() {
        return call instanceof JoinedCall<?> joined ? joined.running() : slot;
    }

    boolean isUnderWay() {
        return progress.get() == Progress.BEGUN;
    }

    /** Returns the time at which the call was cancelled, in nanoseconds. */
    long givenUp() {
        return givenUp;
    }

    /** Returns the filter that the log has reported as lingering; null if the log has not reported this call. */
    @Nullable
    FilterSlot told() {
        return told;
    }

    void told(FilterSlot lingering) {
        told = lingering;
    }

    /** Returns the line of the filter's code that the call currently executes; null if unknown. */
    @Nullable
    StackTraceElement place() {
        Thread t = thread;
        return t == null ? null : running().placeIn(t.getStackTrace());
    }

    /** Returns the current stack of the call; null if it has no thread. Thread-safe. */
    @Nullable
    CallSight sight() {
        Thread running = thread;
        return running == null
                ? null
                : new CallSight(running(), mark.requestId(), running.getName(), List.of(running.getStackTrace()));
    }
}
