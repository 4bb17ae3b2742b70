package dev.lychgate.server.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Questions to event loops whose answers are heard on another thread, and awaited for a limited time. That thread keeps
 * the clock too: {@link CompletableFuture#orTimeout} would let each loop take the lock of the JDK's one timer when it
 * answers, and a loop takes no lock.
 */
final class Questions {
    private final ScheduledExecutorService thread;
    private final List<CompletableFuture<?>> answers = new ArrayList<>();
    private final List<CompletableFuture<?>> heard = new ArrayList<>();

    /** @param thread where answers are heard */
    Questions(ScheduledExecutorService thread) {
        this.thread = thread;
    }

    /** Asks. Either {@code onAnswer} or {@code onSilence} will be called, on the thread, before {@link #settled} is. */
    <T> void ask(Supplier<CompletableFuture<T>> question, Consumer<T> onAnswer, Runnable onSilence) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        answers.add(answer);
        heard.add(answer.handle((value, failure) -> {
            if (failure == null) {
                onAnswer.accept(value);
            } else {
                onSilence.run();
            }
            return value;
        }));
        try {
            question.get()
                    .whenCompleteAsync(
                            (value, failure) -> {
                                if (failure == null) {
                                    answer.complete(value);
                                } else {
                                    answer.completeExceptionally(failure);
                                }
                            },
                            thread);
        } catch (RejectedExecutionException stopped) {
            answer.completeExceptionally(stopped);
        }
    }

    /** Completes on the thread when every question is answered, or taken for unanswered after {@code longest}. */
    CompletableFuture<Void> settled(Duration longest) {
        Future<?> patience = thread.schedule(
                () -> answers.forEach(answer -> answer.completeExceptionally(new TimeoutException())),
                longest.toNanos(),
                TimeUnit.NANOSECONDS);
        return CompletableFuture.allOf(heard.toArray(CompletableFuture[]::new))
                .whenCompleteAsync((done, failure) -> patience.cancel(false), thread);
    }
}
