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
import dev.lychgate.filter.JoinableFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.pool.Permits;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs chains of filters over one exchange, one filter at a time, and waits for asynchronous outcomes. If a filter throws,
 * even a JVM error, at most its own exchange fails.
 *
 * <p>Used on the exchange's event loop. A run reports its result to the {@link FilterHost} as its last action, so that the
 * callback may start the next stage.
 */
final class FilterRun {
    private static final FilterSlot[] NONE = {};

    private final FilterLoop loop;
    private final FilterContext context;
    private final FilterHost host;
    /**
     * The times of filter calls. Null after the end of the exchange, even if a filter still runs, because the record is
     * recycled then.
     */
    private @Nullable FilterTimes times;

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
        this.times = times;
        this.shared = new ExchangeView(context, null);
        this.runs = new ObservedRuns(context);
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

    /**
     * Fails the exchange after an internal error while an outcome is processed. Otherwise, the client would wait forever.
     */
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
     * @param outcome the outcome; null if it is pending
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
     * ends the run instead.
     */
    void onBody() {
        if (awaitsBody) {
            awaitsBody = false;
            contained(() -> {
                FilterOutcome failure = context.transformFailure();
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
        contained(() -> goOn(context.tooLong(context.slot())));
    }

    boolean awaitsBody() {
        return awaitsBody;
    }

    // ---- one filter

    /**
     * Runs a filter if it applies.
     *
     * @param current the filter
     * @param withBody whether the filter applies and its body is complete
     * @return the outcome; null if it is pending
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
                    FilterOutcome refusal = context.refuseBody(current);
                    awaitsBody = refusal == null && !context.hasWholeBody();
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
                case SYNC -> ran(current, begin, ((SyncFilter) filter).filter(shared));
                case ASYNC -> await(current, begin, ((AsyncFilter) filter)::filter);
                case BLOCKING -> {
                    JoinedRuns joined = joined(current, begin);
                    yield joined == null
                            ? await(current, begin, view -> onThread(current, view))
                            : await(current, begin, joined);
                }
            };
        } catch (Throwable e) {
            return broke(current, begin, "failed", e);
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

    private FilterOutcome ran(FilterSlot current, long begin, @Nullable FilterOutcome outcome) {
        return outcome == null ? broke(current, begin, "returned null", null) : over(current, begin, outcome);
    }

    private FilterOutcome broke(FilterSlot current, long begin, String how, @Nullable Throwable cause) {
        return over(current, begin, FilterFailures.of(loop, context, current, how, cause));
    }

    /** Records the end of a filter call, whether or not it was successful. */
    private FilterOutcome over(FilterSlot current, long begin, FilterOutcome outcome) {
        return over(current, begin, loop.nanoTime(), outcome);
    }

    private FilterOutcome over(FilterSlot current, long begin, long end, FilterOutcome outcome) {
        current.stats().ran(loop.index(), end - begin);
        BudgetMeter budget = current.budget();
        if (budget != null) {
            budget.ran(loop.index(), end - begin);
        }
        current.ran();
        noteTime(current, begin, end, outcome);
        runs.end(current, begin, end, outcome);
        return outcome;
    }

    private void noteTime(FilterSlot of, long from, long to, @Nullable FilterOutcome outcome) {
        FilterTimes t = times;
        if (t != null) {
            t.ran(of, context.stage(), from, to, outcome);
        }
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
                return ran(current, begin, null);
            }
            CompletableFuture<? extends FilterOutcome> future = later.toCompletableFuture();
            if (future.isDone()) {
                return outcomeOf(current, begin, future);
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
        // A synchronous filter that was off-loaded does not implement BlockingFilter.
        Callable<FilterOutcome> call = current.filter() instanceof SyncFilter sync
                ? () -> sync.filter(view)
                : () -> ((BlockingFilter) current.filter()).filter(view);
        return loop.blocking().call(current, context.mark(), call);
    }

    // ---- joinable filters

    /** Returns the runs of a filter and of the next ones that run on the same thread; null if the filter runs alone. */
    private @Nullable JoinedRuns joined(FilterSlot first, long begin) {
        // The trace and the recording need the state between two runs.
        if (!(first.filter() instanceof JoinableFilter) || first.budget() != null || runs.areReported()) {
            return null;
        }
        boolean declaresBody = first.bodyLimit() != 0;
        int end = next;
        while (end < slots.length && joins(slots[end], declaresBody)) {
            declaresBody |= slots[end].bodyLimit() != 0;
            end++;
        }
        return end == next ? null : new JoinedRuns(context, Arrays.asList(slots).subList(next - 1, end), begin);
    }

    private boolean joins(FilterSlot slot, boolean bodyDeclaredBefore) {
        boolean runs = slot.filter() instanceof JoinableFilter
                && slot.budget() == null
                && !slot.isEjected()
                && !slot.isDisabled(context.route());
        return runs && slot.filter().applies(shared) && isBodyReady(slot, bodyDeclaredBefore);
    }

    /**
     * Returns whether a filter can run without a wait for its body. The filters of one call either all need the body or all do not,
     * apart from filters that declare none.
     */
    private boolean isBodyReady(FilterSlot slot, boolean declaredBefore) {
        if (slot.bodyLimit() == 0) {
            return true;
        }
        if (!slot.filter().needsBody(shared)) {
            return !context.isBodyNeeded();
        }
        boolean ready = (context.isBodyNeeded() || !declaredBefore) && context.hasWholeBodyWithin(slot.bodyLimit());
        if (ready) {
            context.bodyNeeded();
        }
        return ready;
    }

    private @Nullable FilterOutcome await(FilterSlot first, long begin, JoinedRuns joined) {
        boolean waits = false;
        try {
            CompletableFuture<FilterOutcome> call = loop.blocking().call(first, context.mark(), joined);
            if (call.isDone()) {
                return outcomeOf(joined, begin, call);
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
     * Reports the runs that have ended, and returns the outcome of the last one.
     *
     * @param call the call of the runs; null after the timeout of a run
     */
    private FilterOutcome outcomeOf(
            JoinedRuns joined, long begin, @Nullable CompletableFuture<? extends FilterOutcome> call) {
        int ended = joined.ended();
        for (int i = 0; i < ended; i++) {
            FilterOutcome outcome = outcomeOf(joined.get(i));
            if (outcome != FilterOutcome.Proceed.PROCEED) {
                return outcome;
            }
            next += i == 0 ? 0 : 1;
        }
        boolean isOver = call == null ? ended == joined.size() : !call.isCompletedExceptionally();
        if (isOver) {
            return FilterOutcome.Proceed.PROCEED;
        }
        next += ended == 0 ? 0 : 1;
        FilterSlot last = joined.get(ended).slot;
        context.slot(last);
        long from = ended == 0 ? begin : joined.get(ended - 1).end();
        if (call != null) {
            return outcomeOf(last, from, call);
        }
        last.stats().timedOut(loop.index());
        return broke(last, from, "exceeded its timeout", null);
    }

    private FilterOutcome outcomeOf(JoinedRuns.Run run) {
        FilterSlot slot = run.slot;
        context.slot(slot);
        FilterOutcome outcome = run.outcome();
        if (outcome == null) {
            String how = run.failure() == null ? "returned null" : "failed";
            outcome = FilterFailures.of(loop, context, slot, how, run.failure());
        }
        return over(slot, run.begin(), run.end(), outcome);
    }

    private FilterOutcome outcomeOf(FilterSlot current, long begin, CompletableFuture<? extends FilterOutcome> done) {
        try {
            return ran(current, begin, done.join());
        } catch (CompletionException e) {
            return broke(current, begin, "failed", e.getCause() == null ? e : e.getCause());
        } catch (Throwable e) {
            return broke(current, begin, "failed", e);
        }
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
        contained(() -> goOn(outcomeOf(waited, result)));
        contained(host::onResumed);
    }

    private FilterOutcome outcomeOf(PendingFilter waited, @Nullable CompletableFuture<? extends FilterOutcome> result) {
        if (waited.joined != null) {
            return outcomeOf(waited.joined, waited.begin, result);
        }
        if (result != null) {
            return outcomeOf(waited.slot, waited.begin, result);
        }
        waited.slot.stats().timedOut(loop.index());
        FilterOutcome own = waited.outcomeOfTimeout();
        return own == null
                ? broke(waited.slot, waited.begin, "exceeded its timeout", null)
                : over(waited.slot, waited.begin, own);
    }

    /** Cancels a pending filter and ignores its outcome, because the exchange fails or ends. */
    void cancel() {
        awaitsBody = false;
        PendingFilter waiting = pending;
        if (waiting != null) {
            pending = null;
            waiting.leave();
            noteCancelled(waiting);
            waiting.cancel();
        }
    }

    private void noteCancelled(PendingFilter waiting) {
        JoinedRuns joined = waiting.joined;
        FilterSlot slot = waiting.slot;
        long begin = waiting.begin;
        if (joined != null) {
            int ended = joined.ended();
            for (int i = 0; i < ended; i++) {
                outcomeOf(joined.get(i));
                begin = joined.get(i).end();
            }
            if (ended == joined.size()) {
                return;
            }
            slot = joined.get(ended).slot;
        }
        noteTime(slot, begin, loop.nanoTime(), null);
    }

    /** Ends the run at the end of the exchange, and revokes the shared view. */
    void close() {
        cancel();
        times = null;
        shared.revoke();
    }
}
