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
 * One call of a filter that blocks: completes on the thread that runs it, and may be given up by {@link #cancel} before or
 * while it runs. Cannot be stopped: one that is interrupted and goes on nevertheless keeps its thread.
 */
final class BlockingCall<T> extends CompletableFuture<T> implements Runnable {
    private enum Progress {
        /** No thread has come to it. */
        WAITING,
        /** A thread runs it. */
        BEGUN,
        /** It was given up before a thread came to it, and is never run. */
        GIVEN_UP,
        /** No thread has to do with it any more. */
        OVER
    }

    final FilterSlot slot;
    final LogMark mark;
    private final BlockingThreads threads;
    /** Only for its way to interrupt a thread that has not gone on to something else. */
    private final FutureTask<@Nullable Void> task;
    /** Leaves {@code WAITING} by whoever is first: the thread that begins, or the caller that gives up. */
    private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.WAITING);

    private volatile @Nullable Thread thread;
    /** For whoever looks after calls that were given up: since when this one is one of them, and whether it was told. */
    private long givenUp;

    private boolean told;

    BlockingCall(FilterSlot slot, LogMark mark, Callable<T> call, BlockingThreads threads) {
        this.slot = slot;
        this.mark = mark;
        this.threads = threads;
        this.task = new FutureTask<>(() -> answer(call), null);
    }

    /** Runs it, unless it has been given up or has to wait again. */
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
        // What no thread has come to keeps its place, for the thread that does to give it back.
        if (cancelled && !progress.compareAndSet(Progress.WAITING, Progress.GIVEN_UP)) {
            task.cancel(mayInterrupt);
            givenUp = System.nanoTime();
            threads.onGivenUp(this);
        }
        return cancelled;
    }

    // ---- for whoever looks after what was given up

    boolean isUnderWay() {
        return progress.get() == Progress.BEGUN;
    }

    /** When it was given up, in nanoseconds. */
    long givenUp() {
        return givenUp;
    }

    boolean isTold() {
        return told;
    }

    void told() {
        told = true;
    }

    /** Where in its filter's code it is; null if that can't be seen. */
    @Nullable
    StackTraceElement place() {
        Thread t = thread;
        return t == null ? null : slot.placeIn(t.getStackTrace());
    }

    /** Where it is now; null if it has no thread. Any thread. */
    @Nullable
    CallSight sight() {
        Thread running = thread;
        return running == null
                ? null
                : new CallSight(slot, mark.requestId(), running.getName(), List.of(running.getStackTrace()));
    }
}
