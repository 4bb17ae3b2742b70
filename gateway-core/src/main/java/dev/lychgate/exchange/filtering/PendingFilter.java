package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.loop.Deadline;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a filter that answers later: the exchange's way back to its event loop. Hears of the answer or of the end of
 * the filter's time, whichever is first, and of nothing after that.
 */
final class PendingFilter extends Deadline {
    private static final Logger LOG = LoggerFactory.getLogger(PendingFilter.class);

    private final FilterRun run;
    private final FilterLoop loop;
    final FilterSlot slot;
    private final ExchangeView view;
    private final CompletableFuture<? extends FilterOutcome> answer;
    /** When the filter was called, in nanoseconds. */
    final long begin;

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

    /** Lets the answer come. */
    void await() {
        loop.loop().deadlines().arm(this, slot.timeoutNanos());
        // Never on the thread that completes it, and never before the caller has done with the exchange.
        answer.whenComplete((outcome, failure) -> loop.loop().eventLoop().execute(this::onAnswer));
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

    /** Nobody waits for the answer any more. */
    void cancel() {
        loop.loop().deadlines().remove(this);
        giveUp();
    }

    private void giveUp() {
        view.revoke();
        try {
            answer.cancel(true);
        } catch (Throwable e) {
            // A stage of somebody's own making; it is given up all the same.
            LogMark mark = view.exchange().mark();
            mark.on(LOG.atWarn()).setCause(e).log("{}{}: its stage can't be cancelled", mark, slot);
        }
    }
}
