package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.error.Side;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterSlot;
import dev.lychgate.filter.SyncFilter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs chains of filters over one exchange, one filter at a time, and waits where one answers later. Whatever a filter
 * does costs the exchange it was done in, at most; only what the JVM itself can't go on with is passed on.
 *
 * <p>Lives on the exchange's event loop. How a run ends is told to its {@link FilterSubject} as its last act, so that the
 * next stage may be run from there.
 */
final class FilterRun {
    private static final Logger LOG = LoggerFactory.getLogger(FilterRun.class);
    private static final FilterSlot[] NONE = {};

    private final Worker worker;
    private final FilterSubject subject;
    /** What synchronous filters see; those that answer later have one each. */
    private final ExchangeView shared;

    private @Nullable Map<AttributeKey<?>, Object> attributes;
    private @Nullable FilterTrace trace;
    private FilterStage stage = FilterStage.GLOBAL;
    private FilterSlot[] slots = NONE;
    private int next;
    private @Nullable FilterSlot slot;
    private @Nullable PendingFilter pending;
    private boolean awaitsBody;

    FilterRun(Worker worker, FilterSubject subject) {
        this.worker = worker;
        this.subject = subject;
        this.shared = new ExchangeView(this, subject);
    }

    FilterStage stage() {
        return stage;
    }

    /** Has every filter that runs from now on noted down in {@code into}. */
    void trace(FilterTrace into) {
        trace = into;
    }

    /** The filter that runs, or did last. */
    FilterSlot slot() {
        FilterSlot s = slot;
        if (s == null) {
            throw new IllegalStateException("no filter runs");
        }
        return s;
    }

    Map<AttributeKey<?>, Object> attributes() {
        Map<AttributeKey<?>, Object> kept = attributes;
        if (kept == null) {
            kept = new HashMap<>();
            attributes = kept;
        }
        return kept;
    }

    /** Runs {@code chain}; its end may be told before this returns. */
    void run(FilterStage of, FilterSlot[] chain) {
        stage = of;
        slots = chain;
        next = 0;
        proceed();
    }

    private void proceed() {
        while (next < slots.length) {
            FilterSlot current = slots[next++];
            slot = current;
            FilterOutcome outcome = current.bodyLimit() > 0 ? whetherItNeedsTheBody(current) : start(current);
            if (outcome == null && current.bodyLimit() > 0) {
                if (!isBodyHere(current)) {
                    return;
                }
                outcome = start(current);
            }
            if (outcome == null) {
                subject.onFilterWaits(stage);
                return;
            }
            if (outcome != FilterOutcome.Proceed.PROCEED) {
                end(current, outcome);
                return;
            }
        }
        subject.onFiltered(stage);
    }

    private void end(FilterSlot by, FilterOutcome outcome) {
        if (outcome instanceof FilterOutcome.Respond answer) {
            subject.onFilterAnswer(stage, answer);
        } else if (outcome instanceof FilterOutcome.Fail failure) {
            subject.onFilterFailure(stage, by, failure.error());
        }
    }

    // ---- bodies

    /** Nobody waits for a body, or fails by its length, for a filter that does not apply. @return null if this one does */
    private @Nullable FilterOutcome whetherItNeedsTheBody(FilterSlot current) {
        if (current.isEjected()) {
            return null;
        }
        try {
            return current.filter().applies(shared) ? null : FilterOutcome.Proceed.PROCEED;
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            return failed(current, "failed", e);
        }
    }

    /** Whether {@code current} may run: if not, the exchange has been asked for the body, or has failed by it. */
    private boolean isBodyHere(FilterSlot current) {
        FilteredBody body = stage.changesRequest() ? subject.requestBody() : subject.responseBody();
        if (!body.limitTo(current.bodyLimit())) {
            onBodyTooLong();
            return false;
        }
        if (body.isEnded() || body.isReplaced()) {
            return true;
        }
        awaitsBody = true;
        subject.awaitBody(stage);
        return false;
    }

    /** The body that was awaited is there. */
    void onBody() {
        if (!awaitsBody) {
            return;
        }
        awaitsBody = false;
        next--;
        proceed();
    }

    /** The body that was awaited is longer than may be kept. */
    void onBodyTooLong() {
        awaitsBody = false;
        FilterSlot current = slot();
        if (stage.changesRequest()) {
            subject.onFilterFailure(
                    stage,
                    current,
                    GatewayError.downstream(
                            ErrorKind.BODY_TOO_LARGE,
                            "the request body is longer than " + current.bodyLimit() + " bytes"));
            return;
        }
        FilterOutcome outcome = failed(current, "needs a body that is longer than it may be", null);
        if (outcome == FilterOutcome.Proceed.PROCEED) {
            proceed();
        } else {
            end(current, outcome);
        }
    }

    boolean awaitsBody() {
        return awaitsBody;
    }

    // ---- one filter

    /** @return what the filter decides; null if that is still to come */
    private @Nullable FilterOutcome start(FilterSlot current) {
        int loop = worker.loop().index();
        if (current.isEjected()) {
            current.stats().skipped(loop);
            return current.failsClosed()
                    ? new FilterOutcome.Fail(GatewayError.internal(current + " has been ejected", null))
                    : FilterOutcome.Proceed.PROCEED;
        }
        Filter filter = current.filter();
        long begin = worker.loop().nanoTime();
        worker.guard().enter(current, begin);
        try {
            if (!filter.applies(shared)) {
                return FilterOutcome.Proceed.PROCEED;
            }
            if (trace != null) {
                trace.before(stage);
            }
            return switch (current.form()) {
                case SYNC -> ran(current, begin, ((SyncFilter) filter).filter(shared));
                case ASYNC -> await(current, begin, ((AsyncFilter) filter)::filter);
                case BLOCKING -> await(current, begin, view -> onThread((BlockingFilter) filter, view));
            };
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {
                throw fatal;
            }
            return noted(current, begin, failed(current, "failed", e));
        } finally {
            worker.guard().leave();
        }
    }

    private FilterOutcome ran(FilterSlot current, long begin, @Nullable FilterOutcome outcome) {
        long now = worker.loop().nanoTime();
        current.stats().ran(worker.loop().index(), now - begin);
        current.ran();
        return noted(current, begin, outcome != null ? outcome : failed(current, "returned null", null));
    }

    private FilterOutcome noted(FilterSlot current, long begin, FilterOutcome outcome) {
        if (trace != null) {
            trace.after(stage, current, begin, worker.loop().nanoTime(), outcome);
        }
        return outcome;
    }

    private interface Beginning {
        @Nullable
        CompletionStage<FilterOutcome> begin(ExchangeView view) throws Exception;
    }

    private @Nullable FilterOutcome await(FilterSlot current, long begin, Beginning beginning) throws Exception {
        ExchangeView own = new ExchangeView(this, subject);
        CompletionStage<FilterOutcome> later = beginning.begin(own);
        if (later == null) {
            return failed(current, "returned null", null);
        }
        CompletableFuture<FilterOutcome> future = later.toCompletableFuture();
        if (future.isDone()) {
            own.revoke();
            return outcomeOf(current, begin, future);
        }
        PendingFilter waiting = new PendingFilter(this, worker, current, own, future, begin);
        pending = waiting;
        waiting.await();
        return null;
    }

    private CompletionStage<FilterOutcome> onThread(BlockingFilter filter, ExchangeView view) {
        try {
            return worker.blocking().call(subject.requestId(), () -> filter.filter(view));
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(new IllegalStateException("too many blocking filters wait", e));
        }
    }

    private FilterOutcome outcomeOf(FilterSlot current, long begin, CompletableFuture<FilterOutcome> done) {
        try {
            return ran(current, begin, done.join());
        } catch (CompletionException e) {
            return noted(current, begin, failed(current, "failed", e.getCause() == null ? e : e.getCause()));
        } catch (RuntimeException e) {
            return noted(current, begin, failed(current, "failed", e));
        }
    }

    /** What a failure of {@code current} comes to, by its policy. */
    private FilterOutcome failed(FilterSlot current, String how, @Nullable Throwable cause) {
        current.stats().failed(worker.loop().index());
        String what = current + " " + how;
        if (current.failsClosed()) {
            return new FilterOutcome.Fail(new GatewayError(ErrorKind.INTERNAL, Side.LOCAL, Retry.NEVER, what, cause));
        }
        LOG.error("{} {}; the exchange goes on without it", subject.requestId(), what, cause);
        return FilterOutcome.Proceed.PROCEED;
    }

    // ---- filters that answer later

    /** The filter that was waited for has answered, or its time is over. */
    void resume(PendingFilter waited, @Nullable CompletableFuture<FilterOutcome> answer) {
        if (pending != waited) {
            return;
        }
        pending = null;
        FilterSlot current = waited.slot();
        FilterOutcome outcome;
        if (answer == null) {
            current.stats().ran(worker.loop().index(), worker.loop().nanoTime() - waited.begin());
            current.stats().timedOut(worker.loop().index());
            // Counted as a failure already.
            outcome = noted(
                    current,
                    waited.begin(),
                    current.failsClosed()
                            ? new FilterOutcome.Fail(GatewayError.internal(current + " took longer than it may", null))
                            : FilterOutcome.Proceed.PROCEED);
            LOG.warn("{} {} took longer than it may", subject.requestId(), current);
        } else {
            outcome = outcomeOf(current, waited.begin(), answer);
        }
        if (outcome == FilterOutcome.Proceed.PROCEED) {
            proceed();
        } else {
            end(current, outcome);
        }
        subject.onFilterResumed();
    }

    /** The exchange fails or ends: whoever still works on it is told, and not listened to any more. */
    void cancel() {
        awaitsBody = false;
        PendingFilter waiting = pending;
        if (waiting != null) {
            pending = null;
            waiting.cancel();
        }
    }

    /** The exchange is over: nobody may use it any more. */
    void close() {
        cancel();
        shared.revoke();
    }
}
