package dev.lychgate.exchange.filtering;

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
 * One call of an asynchronous filter. Returns to the exchange's event loop with the outcome or the timeout, whichever is
 * first; later events are ignored.
 */
final class PendingFilter extends Deadline {
    private static final Logger LOG = LoggerFactory.getLogger(PendingFilter.class);

    private final FilterRun run;
    private final FilterLoop loop;
    final FilterSlot slot;
    private final ExchangeView view;
    private final CompletableFuture<? extends FilterOutcome> answer;
    /** Time of the call, in nanoseconds. */
    final long begin;
    /** The place that the run has within the budget of its filter; null if it has none. */
    @Nullable
    Permits place;

    PendingFilter(
            FilterRun run,
            FilterLoop loop,
            FilterSlot slot,
            ExchangeView view,
            CompletableFuture<? extends FilterOutcome> answer,
            long begin) {
        this.run = run;
        this.loop = loop;
        this.slot = slot;
        this.view = view;
        this.answer = answer;
        this.begin = begin;
    }

    /** Arms the timeout and subscribes to the outcome. */
    void await() {
        loop.loop().deadlines().arm(this, slot.timeoutNanos());
        // Never on the completing thread, and never before the caller has finished with the exchange.
        answer.whenComplete((outcome, failure) -> loop.loop().eventLoop().execute(this::onAnswer));
    }

    /** Releases the place. */
    void leave() {
        if (place != null) {
            place.release();
            place = null;
        }
    }

    private void onAnswer() {
        loop.loop().deadlines().remove(this);
        view.revoke();
        run.resume(this, answer);
    }

    @Override
    protected void onDeadline() {
        giveUp();
        run.resume(this, null);
    }

    /** Cancels the call; its outcome is ignored. */
    void cancel() {
        loop.loop().deadlines().remove(this);
        giveUp();
    }

    private void giveUp() {
        view.revoke();
        try {
            answer.cancel(true);
        } catch (Throwable e) {
            // A foreign implementation of the stage may throw; the call is abandoned anyway.
            LogMark mark = view.exchange().mark();
            mark.on(LOG.atWarn()).setCause(e).log("{}{}: its stage can't be cancelled", mark, slot);
        }
    }
}
