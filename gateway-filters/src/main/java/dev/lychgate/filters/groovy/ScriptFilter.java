package dev.lychgate.filters.groovy;

import dev.lychgate.config.FilterBudget;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.filters.rx.RxSources;
import groovy.lang.Closure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.codehaus.groovy.runtime.typehandling.DefaultTypeTransformation;
import org.jspecify.annotations.Nullable;

/** A filter that runs a closure of a script. */
sealed interface ScriptFilter extends Filter {
    FilterScript script();

    record Sync(FilterScript script, Closure<?> work) implements ScriptFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return decided(work.call(exchange));
        }
    }

    record Blocking(FilterScript script, Closure<?> work) implements ScriptFilter, BlockingFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return decided(work.call(exchange));
        }
    }

    record Async(FilterScript script, Closure<?> work) implements ScriptFilter, AsyncFilter {
        @Override
        public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
            Object result = work.call(exchange);
            if (result instanceof FilterOutcome outcome) {
                return CompletableFuture.completedFuture(outcome);
            }
            if (result instanceof CompletionStage<?> stage) {
                return outcomeOf(stage);
            }
            CompletionStage<?> subscribed =
                    result == null ? null : RxSources.subscribe(result, FilterOutcome.proceed());
            if (subscribed != null) {
                return outcomeOf(subscribed);
            }
            // The closure may lack a return, so that its intended result is lost. If the exchange continued, a request
            // that the filter intends to reject would be admitted.
            IllegalStateException failure = new IllegalStateException(
                    "an async closure must return a CompletionStage, a Single, Maybe, Completable, Observable"
                            + " or Flowable of RxJava 3, a Publisher or an outcome, not " + typeOf(result));
            StackTraceElement line = script.declaredAt;
            if (line != null) {
                // The closure has returned, so the stack no longer contains its frame.
                failure.setStackTrace(new StackTraceElement[] {line});
            }
            throw failure;
        }

        private static CompletableFuture<FilterOutcome> outcomeOf(CompletionStage<?> stage) {
            AsyncOutcome outcome = new AsyncOutcome(stage);
            stage.whenComplete(outcome);
            return outcome;
        }
    }

    /**
     * The outcome of a stage that an asynchronous closure has returned. It is not a dependent stage of {@code
     * thenApply}, because cancelling the outcome must cancel the stage of the script.
     */
    final class AsyncOutcome extends CompletableFuture<FilterOutcome> implements BiConsumer<Object, Throwable> {
        private final CompletionStage<?> stage;

        AsyncOutcome(CompletionStage<?> stage) {
            this.stage = stage;
        }

        @Override
        public void accept(@Nullable Object result, @Nullable Throwable failure) {
            if (failure != null) {
                completeExceptionally(failure);
            } else if (result instanceof FilterOutcome outcome) {
                // The most common case. The checks below are slower, because they compare a class with many interfaces.
                complete(outcome);
            } else if (result instanceof CompletionStage<?> || RxSources.isSource(result)) {
                // No code waits for the inner stage, although its result may be a rejection.
                completeExceptionally(new IllegalStateException("an async closure returns " + typeOf(result)
                        + " inside another stage: join the two with thenCompose or flatMap"));
            } else {
                complete(FilterOutcome.proceed());
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                stage.toCompletableFuture().cancel(true);
            }
            return cancelled;
        }
    }

    /** Returns the outcome of a synchronous closure. */
    private static FilterOutcome decided(@Nullable Object result) {
        if (!(result instanceof FilterOutcome) && RxSources.isSource(result)) {
            // A source does no work without a subscriber. If the exchange continued, the work of the filter would be
            // skipped.
            throw new IllegalStateException(
                    "the closure returns " + typeOf(result) + " without a subscriber: declare it by async { }");
        }
        return outcome(result);
    }

    private static FilterOutcome outcome(@Nullable Object result) {
        return result instanceof FilterOutcome outcome ? outcome : FilterOutcome.proceed();
    }

    private static String typeOf(@Nullable Object result) {
        return result == null ? "null" : result.getClass().getName();
    }

    @Override
    default String name() {
        return script().name;
    }

    @Override
    default FilterPhase phase() {
        return script().phase;
    }

    @Override
    default int order() {
        return script().order;
    }

    @Override
    default boolean applies(FilterExchange exchange) {
        return holds(script().applies, exchange);
    }

    private static boolean holds(@Nullable Closure<?> condition, FilterExchange exchange) {
        return condition == null || DefaultTypeTransformation.castToBoolean(condition.call(exchange));
    }

    @Override
    default Duration timeout() {
        return script().timeout;
    }

    @Override
    default FailurePolicy onFailure() {
        FailurePolicy said = script().onFailure;
        return said != null ? said : Filter.super.onFailure();
    }

    @Override
    default FilterBudget budget() {
        return script().budget;
    }

    @Override
    default boolean offload() {
        return script().offload;
    }

    @Override
    default BodyNeed body() {
        return script().body;
    }

    @Override
    default boolean needsBody(FilterExchange exchange) {
        return holds(script().needsBody, exchange);
    }

    @Override
    default boolean needsOriginalRequest() {
        return script().originalRequest;
    }

    @Override
    default Class<?> definedIn() {
        return script().getClass();
    }

    @Override
    default void selfCheck() {
        Closure<?> check = script().selfCheck;
        if (check != null) {
            check.call();
        }
    }
}
