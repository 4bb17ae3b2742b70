package dev.lychgate.exchange.filtering;

import dev.lychgate.access.TimeoutOutcome;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.loop.Deadline;
import dev.lychgate.pool.Permits;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of an asynchronous filter. The outcome or the timeout, whichever is first, continues the run on the
 * exchange's event loop. Later events are ignored.
 */
final class PendingFilter extends Deadline {
    private static final Logger LOG = LoggerFactory.getLogger(PendingFilter.class);

    private final FilterRun run;
    private final FilterLoop loop;
    final FilterSlot slot;
    private final ExchangeView view;
    private final CompletableFuture<? extends FilterOutcome> answer;
    /** The time of the call, in nanoseconds. */
    final long begin;
    /** The permit of the run from the budget of its filter; null if the filter has no budget. */
    @Nullable
    Permits place;

    /** The runs of this filter and of the filters that run on the same thread; null if this filter runs alone. */
    final @Nullable JoinedRuns joined;

    PendingFilter(
            FilterRun run,
            FilterLoop loop,
            FilterSlot slot,
            ExchangeView view,
            CompletableFuture<? extends FilterOutcome> answer,
            long begin,
            @Nullable JoinedRuns joined) {
        this.run = run;
        this.loop = loop;
        this.slot = slot;
        this.view = view;
        this.answer = answer;
        this.begin = begin;
        this.joined = joined;
    }

    /** Arms the timeout and subscribes to the outcome. */
    void await() {
        loop.loop().deadlines().arm(this, slot.timeoutNanos());
        // The run continues in a task, so that it neither uses the completing thread nor continues before the caller
        // has finished with the exchange.
        answer.whenComplete((outcome, failure) -> loop.loop().eventLoop().execute(this::onAnswer));
    }

    /** Releases the permit, if there is one. */
    void leave() {
        if (place != null) {
            place.release();
            place = null;
        }
    }

    /** Returns the outcome that the filter defines for its timeout; null if a timeout is a failure of the filter. */
    @Nullable
    FilterOutcome outcomeOfTimeout() {
        return answer instanceof TimeoutOutcome own ? own.onTimeout() : null;
    }

    private void onAnswer() {
        loop.loop().deadlines().remove(this);
        revoke();
        run.resume(this, answer);
    }

    private void revoke() {
        view.revoke();
        if (joined != null) {
            joined.revoke();
        }
    }

    @Override
    protected void onDeadline() {
        long rest = joined == null ? 0 : joined.rest(loop.nanoTime());
        if (rest > 0) {
            loop.loop().deadlines().arm(this, rest);
            return;
        }
        giveUp();
        run.resume(this, null);
    }

    /** Cancels the call. A later outcome of the call is ignored. */
    void cancel() {
        loop.loop().deadlines().remove(this);
        giveUp();
    }

    private void giveUp() {
        if (joined != null) {
            joined.abandon();
        }
        revoke();
        try {
            answer.cancel(true);
        } catch (Throwable e) {
            // The CompletionStage of another library may throw. The call is abandoned even then.
            LogMark mark = view.exchange().mark();
            mark.on(LOG.atWarn())
                    .setCause(e)
                    .log("{}the call of {} can't be cancelled; the outcome of this call is ignored", mark, slot);
        }
    }
}
