package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.BudgetMeter;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.exchange.state.FilterTimes;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.pool.Permits;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs chains of filters over one exchange, one filter at a time, and waits for asynchronous outcomes. If a filter
 * throws an exception, or even a JVM error, no other exchange is affected.
 *
 * <p>Used on the exchange's event loop. The last action of a run is to report its result to the {@link FilterHost}. The
 * host may therefore start the next stage during the report.
 */
final class FilterRun {
    private static final FilterSlot[] NONE = {};

    private final FilterLoop loop;
    private final FilterContext context;
    private final FilterHost host;
    /** The view that synchronous filters share; each asynchronous filter has its own view. */
    private final ExchangeView shared;

    private final ObservedRuns runs;

    private FilterSlot[] slots = NONE;
    private int next;
    private @Nullable PendingFilter pending;
    private boolean awaitsBody;

    FilterRun(FilterLoop loop, FilterContext context, FilterHost host, FilterTimes times) {
        this.loop = loop;
        this.context = context;
        this.host = host;
        this.shared = new ExchangeView(context, null);
        this.runs = new ObservedRuns(loop, context, times);
    }

    /** Records all later filter calls in {@code into}. */
    void trace(FilterTrace into) {
        runs.trace(into);
    }

    /** Runs {@code chain}. The result may be reported before this method returns. */
    void run(FilterStage of, FilterSlot[] chain) {
        context.stage(of);
        slots = chain;
        next = 0;
        try {
            proceed();
        } catch (Throwable e) {
            onFault(e);
        }
    }

    /** Runs a step after a wait, with the same error handling as {@link #run}. */
    private void contained(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            onFault(e);
        }
    }

    /** Fails the exchange after an internal error. If the exchange did not fail, the client would wait forever. */
    private void onFault(Throwable e) {
        host.onFault("internal error while processing the outcome of " + context.slot(), e);
    }

    private void goOn(FilterOutcome outcome) {
        if (took(outcome)) {
            proceed();
        }
    }

    private void proceed() {
        while (next < slots.length) {
            FilterSlot current = slots[next++];
            context.slot(current);
            if (!took(start(current, false))) {
                return;
            }
        }
        host.onFiltered(context.stage());
    }

    /**
     * Reports an outcome to the host, unless the filter lets the exchange proceed.
     *
     * @param outcome the outcome; null if the outcome is pending
     * @return whether the next filter may run
     */
    private boolean took(@Nullable FilterOutcome outcome) {
        if (outcome == FilterOutcome.Proceed.PROCEED) {
            return true;
        }
        if (outcome instanceof FilterOutcome.Respond response) {
            host.onFilterResponse(context.stage(), response);
        } else if (outcome instanceof FilterOutcome.Fail failure) {
            host.onFilterFailure(context.stage(), failure.error());
        } else if (awaitsBody) {
            host.readWholeBody(context.stage());
        } else {
            host.onFilterPending(context.stage());
        }
        return false;
    }

    // ---- bodies

    /**
     * Runs the filter that waits for the body, because the body is complete. If a transform of the body has failed,
     * this method ends the run instead.
     */
    void onBody() {
        if (awaitsBody) {
            awaitsBody = false;
            contained(() -> {
                FilterOutcome failure = context.bodies().transformFailure();
                if (failure != null) {
                    took(failure);
                } else if (took(start(context.slot(), true))) {
                    proceed();
                }
            });
        }
    }

    /** Ends the wait of a filter for its body, because the body exceeds the limit. */
    void onBodyTooLong() {
        awaitsBody = false;
        contained(() -> goOn(context.bodies().tooLong(context.slot())));
    }

    boolean awaitsBody() {
        return awaitsBody;
    }

    // ---- one filter

    /**
     * Runs a filter if it applies.
     *
     * @param current the filter
     * @param withBody true if an earlier call has determined that the filter applies, and the body that it needs is now
     *     complete
     * @return the outcome; null if the outcome is pending
     */
    private @Nullable FilterOutcome start(FilterSlot current, boolean withBody) {
        if (current.isDisabled(context.route())) {
            current.stats().skipped(loop.index());
            return FilterOutcome.Proceed.PROCEED;
        }
        boolean ejected = current.isEjected();
        if (ejected && (withBody || !current.isStillAsked())) {
            return skipped(current);
        }
        Filter filter = current.filter();
        long begin = loop.nanoTime();
        BudgetMeter budget = current.budget();
        Permits place = null;
        loop.guard().enter(current, context, begin, !withBody);
        context.turn(true);
        try {
            if (!withBody) {
                if (!filter.applies(shared)) {
                    return FilterOutcome.Proceed.PROCEED;
                }
                if (ejected) {
                    return skipped(current);
                }
                if (current.bodyLimit() != 0 && filter.needsBody(shared)) {
                    context.bodyNeeded();
                    FilterOutcome refusal = context.bodies().refuse(current);
                    awaitsBody = refusal == null && !context.bodies().isWhole();
                    if (refusal != null || awaitsBody) {
                        return refusal;
                    }
                }
            }
            if (budget != null) {
                place = budget.enter(loop.index(), begin);
                if (place == null) {
                    return refused(current);
                }
            }
            loop.guard().run();
            runs.begin();
            return switch (current.form()) {
                case SYNC -> runs.ran(current, begin, ((SyncFilter) filter).filter(shared));
                case ASYNC -> await(current, begin, ((AsyncFilter) filter)::filter);
                case BLOCKING -> {
                    // Filters are not joined if the runs are reported, because the trace and the recording need the
                    // state between two runs.
                    JoinedRuns joined =
                            runs.areReported() ? null : JoinedRuns.of(context, shared, slots, next - 1, begin);
                    yield joined == null
                            ? await(current, begin, view -> onThread(current, view))
                            : await(current, begin, joined);
                }
            };
        } catch (Throwable e) {
            return runs.failed(current, begin, "failed", e);
        } finally {
            context.turn(false);
            loop.guard().leave();
            if (budget != null && place != null) {
                budget.left(loop.index());
                leave(place);
            }
        }
    }

    /** Releases the permit of a run. A pending run releases its permit at its end. */
    private void leave(Permits place) {
        if (pending == null) {
            place.release();
        } else {
            pending.place = place;
        }
    }

    private FilterOutcome refused(FilterSlot current) {
        current.stats().refused(loop.index());
        return current.failsClosed()
                ? new FilterOutcome.Fail(
                        GatewayError.local(ErrorKind.FILTER_BUSY, "a filter has reached its concurrency limit"))
                : FilterOutcome.Proceed.PROCEED;
    }

    private FilterOutcome skipped(FilterSlot current) {
        current.stats().skipped(loop.index());
        return current.failsClosed()
                ? new FilterOutcome.Fail(GatewayError.internal(current + " has been ejected", null))
                : FilterOutcome.Proceed.PROCEED;
    }

    // ---- asynchronous filters

    private interface Beginning {
        CompletionStage<? extends FilterOutcome> begin(FilterExchange view) throws Exception;
    }

    private @Nullable FilterOutcome await(FilterSlot current, long begin, Beginning beginning) throws Exception {
        ExchangeView own = new ExchangeView(context, current);
        boolean waits = false;
        try {
            CompletionStage<? extends FilterOutcome> later = beginning.begin(own);
            if (later == null) {
                return runs.ran(current, begin, null);
            }
            CompletableFuture<? extends FilterOutcome> future = later.toCompletableFuture();
            if (future.isDone()) {
                return runs.completed(current, begin, future);
            }
            PendingFilter waiting = new PendingFilter(this, loop, current, own, future, begin, null);
            waiting.await();
            pending = waiting;
            waits = true;
            return null;
        } finally {
            if (!waits) {
                own.revoke();
            }
        }
    }

    private CompletionStage<FilterOutcome> onThread(FilterSlot current, FilterExchange view) {
        // The filter is a blocking filter or an off-loaded synchronous filter, which does not implement BlockingFilter.
        Callable<FilterOutcome> call = current.filter() instanceof SyncFilter sync
                ? () -> sync.filter(view)
                : () -> ((BlockingFilter) current.filter()).filter(view);
        return loop.blocking().call(current, context.mark(), call);
    }

    // ---- joinable filters

    private @Nullable FilterOutcome await(FilterSlot first, long begin, JoinedRuns joined) {
        boolean waits = false;
        try {
            CompletableFuture<FilterOutcome> call = loop.blocking().call(first, context.mark(), joined);
            if (call.isDone()) {
                return outcomeOf(joined, call);
            }
            PendingFilter waiting = new PendingFilter(this, loop, first, joined.get(0).view, call, begin, joined);
            waiting.await();
            pending = waiting;
            waits = true;
            return null;
        } finally {
            if (!waits) {
                joined.revoke();
            }
        }
    }

    /**
     * Continues after the joined runs of consecutive filters on one thread: skips the filters whose runs have been
     * reported, and returns the outcome of the last reported run.
     */
    private FilterOutcome outcomeOf(JoinedRuns joined, @Nullable CompletableFuture<? extends FilterOutcome> call) {
        FilterOutcome outcome = runs.completed(joined, call);
        next += Math.max(0, joined.reported() - 1);
        return outcome;
    }

    /**
     * Continues after the outcome or the timeout of a pending filter.
     *
     * @param result the outcome; null after a timeout
     */
    void resume(PendingFilter waited, @Nullable CompletableFuture<? extends FilterOutcome> result) {
        if (pending != waited) {
            return;
        }
        pending = null;
        waited.leave();
        JoinedRuns joined = waited.joined;
        contained(() -> goOn(joined == null ? runs.resumed(waited, result) : outcomeOf(joined, result)));
        contained(host::onResumed);
    }

    /** Cancels a pending filter and ignores its outcome, because the exchange fails or ends. */
    void cancel() {
        awaitsBody = false;
        PendingFilter waiting = pending;
        if (waiting != null) {
            pending = null;
            waiting.leave();
            runs.cancelled(waiting);
            waiting.cancel();
        }
    }

    /** Ends the run at the end of the exchange, and revokes the shared view. */
    void close() {
        cancel();
        runs.close();
        shared.revoke();
    }
}
