package dev.lychgate.filters.groovy;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import groovy.lang.Closure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.codehaus.groovy.runtime.typehandling.DefaultTypeTransformation;
import org.jspecify.annotations.Nullable;

/** A filter whose work is a closure of a script. */
abstract sealed class ScriptFilter implements Filter {
    private final ScriptSettings settings;
    final Closure<?> work;

    private ScriptFilter(ScriptSettings settings, Closure<?> work) {
        this.settings = settings;
        this.work = work;
    }

    static final class Sync extends ScriptFilter implements SyncFilter {
        Sync(ScriptSettings settings, Closure<?> work) {
            super(settings, work);
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return outcome(work.call(exchange));
        }
    }

    static final class Blocking extends ScriptFilter implements BlockingFilter {
        Blocking(ScriptSettings settings, Closure<?> work) {
            super(settings, work);
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return outcome(work.call(exchange));
        }
    }

    static final class Async extends ScriptFilter implements AsyncFilter {
        Async(ScriptSettings settings, Closure<?> work) {
            super(settings, work);
        }

        @Override
        public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
            Object result = work.call(exchange);
            if (result instanceof CompletionStage<?> stage) {
                return outcomeOf(stage);
            }
            if (result instanceof FilterOutcome outcome) {
                return CompletableFuture.completedFuture(outcome);
            }
            // Its work may have been lost by a forgotten return: to go on would be to open a door.
            throw new IllegalStateException(
                    "an async closure has to result in a stage or an outcome, not in " + result);
        }

        /** Not {@code thenApply}: whoever cancels the outcome has to reach the script's own stage. */
        private static CompletableFuture<FilterOutcome> outcomeOf(CompletionStage<?> stage) {
            CompletableFuture<FilterOutcome> answer = new CompletableFuture<>();
            stage.whenComplete((result, failure) -> {
                if (failure != null) {
                    answer.completeExceptionally(failure);
                } else {
                    answer.complete(outcome(result));
                }
            });
            answer.whenComplete((outcome, failure) -> {
                if (answer.isCancelled()) {
                    stage.toCompletableFuture().cancel(true);
                }
            });
            return answer;
        }
    }

    static FilterOutcome outcome(@Nullable Object result) {
        return result instanceof FilterOutcome outcome ? outcome : FilterOutcome.proceed();
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public FilterPhase phase() {
        return settings.phase();
    }

    @Override
    public int order() {
        return settings.order();
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        Closure<?> condition = settings.applies();
        return condition == null || DefaultTypeTransformation.castToBoolean(condition.call(exchange));
    }

    @Override
    public Duration timeout() {
        return settings.timeout();
    }

    @Override
    public FailurePolicy onFailure() {
        FailurePolicy said = settings.onFailure();
        return said != null ? said : Filter.super.onFailure();
    }

    @Override
    public BodyNeed body() {
        return settings.body();
    }

    @Override
    public Class<?> definedIn() {
        return settings.script();
    }

    @Override
    public void selfCheck() {
        Closure<?> check = settings.selfCheck();
        if (check != null) {
            check.call();
        }
    }
}
