package dev.lychgate.filters.hystrix;

import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixCommandProperties;
import com.netflix.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import com.netflix.hystrix.HystrixObservableCommand;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import rx.Observable;
import rx.Single;
import rx.Subscription;

/**
 * Asks a remote service what a customer is entitled to, behind a circuit breaker of Hystrix's, and tells the origin. Where
 * the service fails, is slow or has its circuit open, the customer gets what everybody gets.
 *
 * <p>The call does not block, so a semaphore is all the isolation there is to have: no thread pool, no thread hop.
 */
final class EntitlementFilter implements InboundFilter, AsyncFilter {
    /** How long the service may take before the fallback answers for it. */
    private static final Duration PATIENCE = Duration.ofMillis(300);

    private static final HystrixObservableCommand.Setter COMMAND = HystrixObservableCommand.Setter.withGroupKey(
                    HystrixCommandGroupKey.Factory.asKey("entitlement"))
            .andCommandKey(HystrixCommandKey.Factory.asKey("entitlement"))
            .andCommandPropertiesDefaults(HystrixCommandProperties.Setter()
                    .withExecutionIsolationStrategy(ExecutionIsolationStrategy.SEMAPHORE)
                    .withExecutionIsolationSemaphoreMaxConcurrentRequests(200)
                    .withFallbackIsolationSemaphoreMaxConcurrentRequests(1000)
                    .withExecutionTimeoutEnabled(false));

    private final Function<String, Single<String>> service;

    /** @param service gives the plan of a customer, without blocking */
    EntitlementFilter(Function<String, Single<String>> service) {
        this.service = service;
    }

    /** Longer than the call may take: whether the answer or the fallback comes is the command's business; this is the last line. */
    @Override
    public Duration timeout() {
        return PATIENCE.plusMillis(500);
    }

    @Override
    public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
        String customer = exchange.getRequest().cookie("customer");
        if (customer == null) {
            return CompletableFuture.completedFuture(FilterOutcome.proceed());
        }
        CompletableFuture<FilterOutcome> outcome = new CompletableFuture<>();
        Subscription call = new Plan(customer)
                .toObservable()
                .subscribe(
                        plan -> {
                            exchange.getRequest().getHeaders().set("x-plan", plan);
                            outcome.complete(FilterOutcome.proceed());
                        },
                        outcome::completeExceptionally);
        // Nobody waits any more, because the client has gone perhaps: neither shall the command.
        outcome.whenComplete((decided, failure) -> call.unsubscribe());
        return outcome;
    }

    private final class Plan extends HystrixObservableCommand<String> {
        private final String customer;

        Plan(String customer) {
            super(COMMAND);
            this.customer = customer;
        }

        @Override
        protected Observable<String> construct() {
            return service.apply(customer).toObservable().timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        protected Observable<String> resumeWithFallback() {
            return Observable.just("basic");
        }
    }
}
