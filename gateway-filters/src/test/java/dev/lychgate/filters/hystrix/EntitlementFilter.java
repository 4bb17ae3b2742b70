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
import rx.Scheduler;
import rx.Single;
import rx.Subscription;
import rx.schedulers.Schedulers;

/**
 * Requests the plan of a customer from a remote service, with a circuit breaker of Hystrix, and sends it to the origin. If the
 * service fails, is slow or has an open circuit, the customer has the default plan.
 *
 * <p>The call does not block, so a semaphore isolates it without a thread pool and thread hops.
 */
final class EntitlementFilter implements InboundFilter, AsyncFilter {
    /** The timeout of the service, after which the fallback is used. */
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
    private final Scheduler clock;

    /** @param service returns the plan of a customer, without blocking */
    EntitlementFilter(Function<String, Single<String>> service) {
        this(service, Schedulers.computation());
    }

    /** @param clock measures the timeout of the service */
    EntitlementFilter(Function<String, Single<String>> service, Scheduler clock) {
        this.service = service;
        this.clock = clock;
    }

    /** Longer than the timeout of the call: the command chooses between response and fallback. */
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
        // The result is no longer needed, for example after a disconnect, so the command is cancelled.
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
            return service.apply(customer).toObservable().timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS, clock);
        }

        @Override
        protected Observable<String> resumeWithFallback() {
            return Observable.just("basic");
        }
    }
}
