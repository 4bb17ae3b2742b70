package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.loop.Deadline;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscription to the last publisher of a body, with at most one requested item. Calls of the publisher are guarded and may
 * throw against its contract. On the exchange's event loop.
 */
final class BodySubscription {
    private static final Logger LOG = LoggerFactory.getLogger(BodySubscription.class);

    private final FilterLoop loop;
    private final LogMark.Source exchange;
    private FilterSlot of;
    private Flow.@Nullable Subscription subscription;
    private final Runnable onTimeout;
    private final Deadline limit = Deadline.of(this::onDeadline);
    private boolean requested;
    private boolean calling;
    /** Whether the publisher has to emit before {@link #limit}. */
    private boolean limited;

    /**
     * @param of the filter that supplies the publisher
     * @param onTimeout called when a limited wait has exceeded the timeout of the filter
     */
    BodySubscription(FilterLoop loop, LogMark.Source exchange, FilterSlot of, Runnable onTimeout) {
        this.loop = loop;
        this.exchange = exchange;
        this.of = of;
        this.onTimeout = onTimeout;
    }

    FilterSlot of() {
        return of;
    }

    void of(FilterSlot filter) {
        of = filter;
    }

    /** Returns whether the publisher is being called. Its signals are processed afterwards: their work is not its own. */
    boolean isCalling() {
        return calling;
    }

    /** Returns whether the publisher owes the subscription or an item. */
    boolean isOwed() {
        return requested || subscription == null;
    }

    /** Returns what the publisher threw; null if it threw nothing. */
    @Nullable
    Throwable subscribe(Flow.Publisher<byte[]> publisher, Flow.Subscriber<byte[]> by) {
        return call(() -> publisher.subscribe(by));
    }

    /** Returns whether this is the first subscription. Others are to be cancelled. */
    boolean take(Flow.Subscription first) {
        if (subscription != null) {
            return false;
        }
        subscription = first;
        return true;
    }

    /** The requested item has arrived. */
    void received() {
        requested = false;
        limited = false;
    }

    /** Limits the wait for the missing items to the timeout of the filter, from now on. Has no effect if the wait is limited. */
    void limit() {
        if (!limited) {
            limited = true;
            loop.loop().deadlines().arm(limit, of.timeoutNanos());
        }
    }

    /** Ends the limit: the publisher waits for input. */
    void unlimit() {
        limited = false;
    }

    private void onDeadline() {
        if (limited) {
            limited = false;
            onTimeout.run();
        }
    }

    /** Requests an item, unless one is requested. @return what the publisher threw; null if it threw nothing */
    @Nullable
    Throwable request() {
        Flow.Subscription current = subscription;
        if (current == null || requested) {
            return null;
        }
        requested = true;
        return call(() -> current.request(1));
    }

    private @Nullable Throwable call(Runnable call) {
        boolean outer = calling;
        calling = true;
        loop.guard().enter(of, exchange, loop.nanoTime(), false);
        try {
            call.run();
            return null;
        } catch (Throwable e) {
            return e;
        } finally {
            loop.guard().leave();
            calling = outer;
        }
    }

    /** Limits no later wait. */
    void finish() {
        loop.loop().deadlines().remove(limit);
    }

    /** Cancels any subscription of the publisher. */
    void cancel(Flow.Subscription any) {
        loop.guard().enter(of, exchange, loop.nanoTime(), false);
        try {
            any.cancel();
        } catch (Throwable e) {
            LogMark mark = exchange.mark();
            mark.on(LOG.atError())
                    .setCause(e)
                    .log("{}the publisher of {} threw an exception when it was cancelled", mark, of);
        } finally {
            loop.guard().leave();
        }
    }

    /** Cancels the subscription, if there is one. */
    void close() {
        Flow.Subscription current = subscription;
        subscription = null;
        if (current != null) {
            cancel(current);
        }
    }
}
