package dev.lychgate.server.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sends queries to event loops, with a time limit. A separate thread polls for the results and handles them. The event
 * loops do not pass results to that thread, because its executor takes a lock.
 */
final class Questions {
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ScheduledExecutorService thread;
    private final List<Question<?>> questions = new ArrayList<>();

    private record Question<T>(CompletableFuture<T> answer, Consumer<T> onAnswer, Runnable onSilence) {
        void hear() {
            if (answer.isDone() && !answer.isCompletedExceptionally()) {
                onAnswer.accept(answer.join());
            } else {
                onSilence.run();
            }
        }
    }

    /** @param thread the thread that polls for the results and handles them */
    Questions(ScheduledExecutorService thread) {
        this.thread = thread;
    }

    /**
     * Sends a query. Calls {@code onAnswer} or {@code onSilence} on the thread that handles results, before the future
     * of {@link #settled} completes.
     */
    <T> void ask(Supplier<CompletableFuture<T>> question, Consumer<T> onAnswer, Runnable onSilence) {
        CompletableFuture<T> answer;
        try {
            answer = question.get();
        } catch (RejectedExecutionException stopped) {
            answer = CompletableFuture.failedFuture(stopped);
        }
        questions.add(new Question<>(answer, onAnswer, onSilence));
    }

    /**
     * Returns a future that completes when every query has a result, or after {@code longest}. It completes on the
     * thread that handles results.
     */
    CompletableFuture<Void> settled(Duration longest) {
        CompletableFuture<Void> settled = new CompletableFuture<>();
        long begun = System.nanoTime();
        thread.execute(() -> look(begun, longest.toNanos(), settled));
        return settled;
    }

    private void look(long begun, long longest, CompletableFuture<Void> settled) {
        boolean all = questions.stream().allMatch(question -> question.answer().isDone());
        if (!all && System.nanoTime() - begun < longest) {
            thread.schedule(() -> look(begun, longest, settled), BETWEEN_LOOKS, TimeUnit.NANOSECONDS);
            return;
        }
        try {
            questions.forEach(Question::hear);
            settled.complete(null);
        } catch (RuntimeException e) {
            settled.completeExceptionally(e);
        }
    }
}
