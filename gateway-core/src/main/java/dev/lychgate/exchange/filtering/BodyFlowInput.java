package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.loop.Holding;
import java.util.ArrayDeque;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the chunks of a body to one subscriber. Chunks are emitted on the event loop. If the subscriber has no
 * demand, chunks are queued and count against the memory budget. The queue contains at most the chunks of one read,
 * because reading from the sender is paused while there is no demand.
 */
final class BodyFlowInput implements Flow.Publisher<byte[]>, Flow.Subscription, Holding.Owner {
    private static final Flow.Subscription NONE = new Flow.Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
    };

    private final FilterLoop loop;
    private final LogMark.Source exchange;
    private final FilterSlot of;
    private final Runnable onEmitted;
    private final Consumer<Throwable> onFault;
    private final ArrayDeque<byte[]> queue = new ArrayDeque<>(2);
    private final AtomicLong demand = new AtomicLong();
    private final AtomicBoolean taken = new AtomicBoolean();
    private volatile Flow.@Nullable Subscriber<? super byte[]> subscriber;
    private volatile boolean cancelled;
    private volatile boolean malformedDemand;
    /**
     * The number of bytes in the queue. {@link #memory} accounts for these bytes, and is null if no bytes have ever
     * been queued.
     */
    private int queued;

    private @Nullable Holding memory;
    private boolean ended;
    private boolean emitting;

    BodyFlowInput(
            FilterLoop loop, LogMark.Source exchange, FilterSlot of, Runnable onEmitted, Consumer<Throwable> onFault) {
        this.loop = loop;
        this.exchange = exchange;
        this.of = of;
        this.onEmitted = onEmitted;
        this.onFault = onFault;
    }

    // ---- any thread

    @Override
    public void subscribe(Flow.Subscriber<? super byte[]> by) {
        if (!taken.compareAndSet(false, true)) {
            by.onSubscribe(NONE);
            by.onError(new IllegalStateException(
                    "the body publisher already has a subscriber, and accepts no second subscriber"));
            return;
        }
        by.onSubscribe(this);
        subscriber = by;
        loop.loop().onLoop(this::emit);
    }

    @Override
    public void request(long n) {
        if (n > 0) {
            demand.accumulateAndGet(n, (now, more) -> now + more < 0 ? Long.MAX_VALUE : now + more);
        } else {
            malformedDemand = true;
        }
        loop.loop().onLoop(this::emit);
    }

    @Override
    public void cancel() {
        cancelled = true;
        loop.loop().onLoop(this::emit);
    }

    // ---- the event loop

    void next(byte[] chunk) {
        queue.add(chunk);
        queued += chunk.length;
        emit();
        count();
    }

    void end() {
        ended = true;
        emit();
    }

    /**
     * Returns whether the next chunk would be emitted or dropped. If the result is false, the next chunk would be
     * queued.
     */
    boolean hasDemand() {
        return cancelled || (queue.isEmpty() && subscriber != null && demand.get() > 0);
    }

    /** Returns whether the subscriber is being called. */
    boolean isEmitting() {
        return emitting;
    }

    void close() {
        releaseBytes();
        if (memory != null) {
            memory.release();
        }
    }

    private void count() {
        Holding counted = memory;
        if (counted == null) {
            if (queued == 0) {
                return;
            }
            counted = loop.loop().memory().holding(this);
            memory = counted;
        }
        if (!counted.hold(queued, Holding.Kind.BODY)) {
            releaseBytes();
            onReclaim();
        }
    }

    /** Drops the queued chunks and cancels the subscription. */
    @Override
    public void releaseBytes() {
        cancelled = true;
        queue.clear();
        queued = 0;
    }

    @Override
    public void onReclaim() {
        onFault.accept(new BodyRefusal(TransformChain.refusal()));
    }

    private void emit() {
        Flow.Subscriber<? super byte[]> to = subscriber;
        if (to == null || emitting) {
            return;
        }
        emitting = true;
        loop.guard().enter(of, exchange, loop.nanoTime(), false);
        try {
            emitTo(to);
        } catch (Throwable e) {
            cancelled = true;
            onFault.accept(e);
        } finally {
            emitting = false;
            loop.guard().leave();
        }
        count();
        onEmitted.run();
    }

    private void emitTo(Flow.Subscriber<? super byte[]> to) {
        while (!cancelled && !queue.isEmpty() && demand.get() > 0) {
            demand.decrementAndGet();
            byte[] chunk = queue.remove();
            queued -= chunk.length;
            to.onNext(chunk);
        }
        if (cancelled) {
            releaseBytes();
        } else if (malformedDemand) {
            cancelled = true;
            to.onError(new IllegalArgumentException("the number of requested items is not positive"));
        } else if (ended && queue.isEmpty()) {
            cancelled = true;
            to.onComplete();
        }
    }
}
