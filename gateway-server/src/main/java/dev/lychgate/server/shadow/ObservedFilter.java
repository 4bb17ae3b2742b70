package dev.lychgate.server.shadow;

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
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A filter of a shadow. It delegates to another filter, has the same properties as that filter, and records its runs.
 */
abstract class ObservedFilter implements Filter {
    private final Filter filter;
    private final String label;
    private final boolean global;
    private final RunRecorder recorder;

    private ObservedFilter(Filter filter, String name, boolean everywhere, RunRecorder recorder) {
        this.filter = filter;
        this.label = filter.phase().name().toLowerCase(Locale.ROOT) + " " + name;
        // Endpoint filters always run after routing, even if they are declared for all routes.
        this.global = everywhere && filter.phase() == FilterPhase.INBOUND;
        this.recorder = recorder;
    }

    /**
     * Returns a filter that records the runs of {@code filter}.
     *
     * @param name the name under which the filter is used
     * @param everywhere whether the filter is declared for all routes
     */
    static Filter of(Filter filter, String name, boolean everywhere, RunRecorder recorder) {
        if (filter instanceof SyncFilter sync) {
            return new Sync(sync, name, everywhere, recorder);
        }
        return filter instanceof AsyncFilter async
                ? new Async(async, name, everywhere, recorder)
                : new Blocking((BlockingFilter) filter, name, everywhere, recorder);
    }

    private interface Calling {
        @Nullable
        FilterOutcome call(FilterExchange exchange) throws Exception;
    }

    final RunRecorder.Call begin(FilterExchange exchange) {
        return recorder.begin(label, global, exchange);
    }

    @SuppressWarnings("NullAway") // a filter may return null, which is its failure
    final FilterOutcome run(FilterExchange exchange, Calling filter) throws Exception {
        RunRecorder.Call call = begin(exchange);
        try {
            FilterOutcome outcome = RunRecorder.silently(() -> filter.call(exchange));
            call.end(exchange, outcome);
            return outcome;
        } catch (Throwable e) {
            call.fail(e);
            throw e;
        }
    }

    private static final class Sync extends ObservedFilter implements SyncFilter {
        private final SyncFilter filter;

        Sync(SyncFilter filter, String name, boolean everywhere, RunRecorder recorder) {
            super(filter, name, everywhere, recorder);
            this.filter = filter;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) throws Exception {
            return run(exchange, filter::filter);
        }
    }

    private static final class Blocking extends ObservedFilter implements BlockingFilter {
        private final BlockingFilter filter;

        Blocking(BlockingFilter filter, String name, boolean everywhere, RunRecorder recorder) {
            super(filter, name, everywhere, recorder);
            this.filter = filter;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) throws Exception {
            return run(exchange, filter::filter);
        }
    }

    private static final class Async extends ObservedFilter implements AsyncFilter {
        private final AsyncFilter filter;

        Async(AsyncFilter filter, String name, boolean everywhere, RunRecorder recorder) {
            super(filter, name, everywhere, recorder);
            this.filter = filter;
        }

        @Override
        @SuppressWarnings({"NullAway", "FutureReturnValueIgnored"}) // a filter may return null, which is its failure
        public CompletionStage<? extends FilterOutcome> filter(FilterExchange exchange) throws Exception {
            RunRecorder.Call call = begin(exchange);
            try {
                CompletionStage<? extends FilterOutcome> later = RunRecorder.silently(() -> filter.filter(exchange));
                if (later == null) {
                    call.end(exchange, null);
                    return null;
                }
                return recorded(call, exchange, later.toCompletableFuture());
            } catch (Throwable e) {
                call.fail(e);
                throw e;
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored")
        private static <T extends FilterOutcome> CompletionStage<T> recorded(
                RunRecorder.Call call, FilterExchange exchange, CompletableFuture<T> later) {
            CompletableFuture<T> recorded = later.whenComplete((outcome, failure) -> {
                if (failure == null) {
                    call.end(exchange, outcome);
                } else {
                    call.fail(failure.getCause() == null ? failure : failure.getCause());
                }
            });
            recorded.whenComplete((outcome, failure) -> {
                if (recorded.isCancelled()) {
                    // The exchange was abandoned, so the filter is cancelled.
                    later.cancel(true);
                }
            });
            return recorded;
        }
    }

    // ---- as the filter

    @Override
    public final String name() {
        return filter.name();
    }

    @Override
    public final FilterPhase phase() {
        return filter.phase();
    }

    @Override
    public final int order() {
        return filter.order();
    }

    @Override
    public final boolean applies(FilterExchange exchange) {
        return filter.applies(exchange);
    }

    @Override
    public final Duration timeout() {
        return filter.timeout();
    }

    @Override
    public final FailurePolicy onFailure() {
        return filter.onFailure();
    }

    /**
     * Returns {@link FilterBudget#INHERITED}, because budgets apply only to the exchanges of the gateway, and not to
     * copies.
     */
    @Override
    public final FilterBudget budget() {
        return FilterBudget.INHERITED;
    }

    @Override
    public final boolean offload() {
        return false;
    }

    @Override
    public final BodyNeed body() {
        return filter.body();
    }

    @Override
    public final boolean needsBody(FilterExchange exchange) {
        boolean needs = filter.needsBody(exchange);
        if (needs && exchange.getRequest().getContentLength() != 0) {
            recorder.awaitBody(label, global);
        }
        return needs;
    }

    @Override
    public final boolean needsOriginalRequest() {
        return filter.needsOriginalRequest();
    }

    @Override
    public final Class<?> definedIn() {
        return filter.definedIn();
    }
}
