package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.loop.Deadline;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscription to the last publisher of a body. The subscription requests at most one item at a time. The watchdog
 * monitors calls to the publisher. This class handles exceptions of these calls, although publishers must not throw.
 * Used on the exchange's event loop.
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
    /** Whether a time limit applies to the next signal of the publisher, see {@link #limit}. */
    private boolean limited;

    /**
     * Creates a subscription that has not been requested.
     *
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

    /**
     * Returns whether the publisher is being called. Signals are processed after the call, so that the processing does
     * not count as work of the publisher.
     */
    boolean isCalling() {
        return calling;
    }

    /** Returns whether a signal of the publisher is missing: the subscription or a requested item. */
    boolean isOwed() {
        return requested || subscription == null;
    }

    /**
     * Subscribes to {@code publisher}.
     *
     * @return the exception that the publisher threw; null if the publisher threw no exception
     */
    @Nullable
    Throwable subscribe(Flow.Publisher<byte[]> publisher, Flow.Subscriber<byte[]> by) {
        return call(() -> publisher.subscribe(by));
    }

    /**
     * Accepts the first subscription.
     *
     * @return false if there is a subscription already; the caller must then cancel {@code first}
     */
    boolean take(Flow.Subscription first) {
        if (subscription != null) {
            return false;
        }
        subscription = first;
        return true;
    }

    /** Records that the requested item has arrived. */
    void received() {
        requested = false;
        limited = false;
    }

    /**
     * Limits the wait for the missing signal: from now on, the wait may last as long as the timeout of the filter. Has
     * no effect if the wait is already limited.
     */
    void limit() {
        if (!limited) {
            limited = true;
            loop.loop().deadlines().arm(limit, of.timeoutNanos());
        }
    }

    /** Ends the limit, because the publisher waits for input. */
    void unlimit() {
        limited = false;
    }

    private void onDeadline() {
        if (limited) {
            limited = false;
            onTimeout.run();
        }
    }

    /**
     * Requests an item, unless an item is already requested.
     *
     * @return the exception that the publisher threw; null if the publisher threw no exception
     */
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

    /** Removes the limit of the wait. No wait is limited during the rest of the exchange. */
    void finish() {
        loop.loop().deadlines().remove(limit);
    }

    /** Cancels a subscription of the publisher. */
    void cancel(Flow.Subscription any) {
        loop.guard().enter(of, exchange, loop.nanoTime(), false);
        try {
            any.cancel();
        } catch (Throwable e) {
            LogMark mark = exchange.mark();
            mark.on(LOG.atError())
                    .setCause(e)
                    .log(
                            "{}the body publisher of {} threw an exception in cancel(); the exception is ignored",
                            mark,
                            of);
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
