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
 * One call of a blocking filter. It completes on its own thread, and may be cancelled by {@link #cancel} before or while it
 * runs. It can't be stopped: a call that ignores its interrupt keeps its thread.
 */
final class BlockingCall<T> extends CompletableFuture<T> implements Runnable {
    private enum Progress {
        /** No thread has started it. */
        WAITING,
        /** A thread runs it. */
        BEGUN,
        /** Cancelled before a thread started it; never runs. */
        GIVEN_UP,
        /** Ended; no thread is involved any more. */
        OVER
    }

    final FilterSlot slot;
    final LogMark mark;
    private final BlockingThreads threads;
    /** Used only to interrupt the thread safely, while it still runs this call. */
    private final FutureTask<@Nullable Void> task;
    /** Leaves {@code WAITING} by the first of two events: a thread starts the call, or the caller cancels it. */
    private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.WAITING);

    private volatile @Nullable Thread thread;
    /** For the check of lingering calls: time of the cancellation, and whether it was reported. */
    private long givenUp;

    private boolean told;

    BlockingCall(FilterSlot slot, LogMark mark, Callable<T> call, BlockingThreads threads) {
        this.slot = slot;
        this.mark = mark;
        this.threads = threads;
        this.task = new FutureTask<>(() -> answer(call), null);
    }

    /** Runs the call, unless it is cancelled or must wait again. */
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

    private void answer(Callable<T> call) {
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

    boolean isUnderWay() {
        return progress.get() == Progress.BEGUN;
    }

    /** Returns when it was cancelled, in nanoseconds. */
    long givenUp() {
        return givenUp;
    }

    boolean isTold() {
        return told;
    }

    void told() {
        told = true;
    }

    /** Returns its current line in the filter's code; null if unknown. */
    @Nullable
    StackTraceElement place() {
        Thread t = thread;
        return t == null ? null : slot.placeIn(t.getStackTrace());
    }

    /** Returns its current stack; null if it has no thread. Any thread. */
    @Nullable
    CallSight sight() {
        Thread running = thread;
        return running == null
                ? null
                : new CallSight(slot, mark.requestId(), running.getName(), List.of(running.getStackTrace()));
    }
}
