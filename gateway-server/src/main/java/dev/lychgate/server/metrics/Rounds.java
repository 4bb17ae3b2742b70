package dev.lychgate.server.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/**
 * Lets everybody who wants figures share the taking of them: one round at a time, and whoever comes while one is under
 * way gets what the next one finds, not what was asked before. All but {@link #next} happens on one thread.
 */
final class Rounds<T> {
    private final ScheduledExecutorService thread;
    private final Supplier<CompletableFuture<T>> round;
    private List<CompletableFuture<T>> waiting = new ArrayList<>();
    private boolean underWay;

    /**
     * @param thread where rounds begin
     * @param round what completes on that thread, within a bounded time
     */
    Rounds(ScheduledExecutorService thread, Supplier<CompletableFuture<T>> round) {
        this.thread = thread;
        this.round = round;
    }

    /** What a round finds that has not begun yet; completes on the thread, and fails if that has been stopped. Any thread. */
    CompletableFuture<T> next() {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            thread.execute(() -> {
                waiting.add(answer);
                if (!underWay) {
                    begin();
                }
            });
        } catch (RejectedExecutionException stopped) {
            answer.completeExceptionally(stopped);
        }
        return answer;
    }

    private void begin() {
        underWay = true;
        List<CompletableFuture<T>> all = waiting;
        waiting = new ArrayList<>();
        take().whenComplete((found, failure) -> {
            underWay = false;
            for (CompletableFuture<T> each : all) {
                if (failure == null) {
                    each.complete(found);
                } else {
                    each.completeExceptionally(failure);
                }
            }
            if (!underWay && !waiting.isEmpty()) {
                begin();
            }
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
