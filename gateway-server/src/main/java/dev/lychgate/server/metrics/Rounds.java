package dev.lychgate.server.metrics;

import dev.lychgate.loop.SerialExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/**
 * Shares the collection of metrics among concurrent callers. One round runs at a time. A call during a round receives
 * the result of the next round, never an older result. All methods except {@link #next} run on one thread.
 *
 * <p>Event loops may call {@link #next}, so it takes no lock: it only adds the call to a lock-free queue. Another
 * thread then submits the round to the executor of the rounds, because this submission takes a lock.
 */
final class Rounds<T> {
    private final ScheduledExecutorService thread;
    private final Supplier<CompletableFuture<T>> round;
    private final SerialExecutor door = SerialExecutor.passing("lychgate-metrics-door");
    private final Queue<CompletableFuture<T>> waiting = new ConcurrentLinkedQueue<>();
    private boolean underWay;

    /**
     * @param thread the thread on which rounds begin
     * @param round starts a round, which completes on that thread within a bounded time
     */
    Rounds(ScheduledExecutorService thread, Supplier<CompletableFuture<T>> round) {
        this.thread = thread;
        this.round = round;
    }

    /**
     * Returns the result of a round that starts after this call. The future completes on the thread of the rounds, and
     * fails if that thread was stopped. May be called on any thread.
     */
    CompletableFuture<T> next() {
        CompletableFuture<T> answer = new CompletableFuture<>();
        waiting.add(answer);
        try {
            door.execute(this::call);
        } catch (RejectedExecutionException noThread) {
            fail(noThread);
        }
        return answer;
    }

    private void call() {
        try {
            thread.execute(this::beginIfWanted);
        } catch (RejectedExecutionException stopped) {
            fail(stopped);
        }
    }

    private void fail(RejectedExecutionException why) {
        whoWaits().forEach(each -> each.completeExceptionally(why));
    }

    private List<CompletableFuture<T>> whoWaits() {
        List<CompletableFuture<T>> all = new ArrayList<>();
        for (CompletableFuture<T> each = waiting.poll(); each != null; each = waiting.poll()) {
            all.add(each);
        }
        return all;
    }

    private void beginIfWanted() {
        if (underWay || waiting.isEmpty()) {
            return;
        }
        underWay = true;
        List<CompletableFuture<T>> all = whoWaits();
        take().whenComplete((found, failure) -> {
            underWay = false;
            for (CompletableFuture<T> each : all) {
                if (failure == null) {
                    each.complete(found);
                } else {
                    each.completeExceptionally(failure);
                }
            }
            beginIfWanted();
        });
    }

    private CompletableFuture<T> take() {
        try {
            return round.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
