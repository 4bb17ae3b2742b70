package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import java.util.ArrayDeque;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The publisher of a body's chunks, for one subscriber. Emits on the event loop. Chunks without demand are queued, at most the
 * chunks of one read, because reading from the origin then pauses.
 */
final class BodyFlowInput implements Flow.Publisher<byte[]>, Flow.Subscription {
    private static final Flow.Subscription NONE = new Flow.Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
    };

    private final FilterLoop loop;
    private final LogMark.Source exchange;
    private final FilterSlot of;
    private final Runnable onDemand;
    private final Consumer<Throwable> onFault;
    private final ArrayDeque<byte[]> queue = new ArrayDeque<>(2);
    private final AtomicLong demand = new AtomicLong();
    private final AtomicBoolean taken = new AtomicBoolean();
    private volatile Flow.@Nullable Subscriber<? super byte[]> subscriber;
    private volatile boolean cancelled;
    private volatile boolean malformedDemand;
    private boolean ended;
    private boolean emitting;

    BodyFlowInput(
            FilterLoop loop, LogMark.Source exchange, FilterSlot of, Runnable onDemand, Consumer<Throwable> onFault) {
        this.loop = loop;
        this.exchange = exchange;
        this.of = of;
        this.onDemand = onDemand;
        this.onFault = onFault;
    }

    // ---- any thread

    @Override
    public void subscribe(Flow.Subscriber<? super byte[]> by) {
        if (!taken.compareAndSet(false, true)) {
            by.onSubscribe(NONE);
            by.onError(new IllegalStateException("a body has one subscriber"));
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
        emit();
    }

    void end() {
        ended = true;
        emit();
    }

    /** Returns whether a chunk would be emitted or dropped, and not queued. */
    boolean hasDemand() {
        return cancelled || (queue.isEmpty() && subscriber != null && demand.get() > 0);
    }

    void close() {
        cancelled = true;
        queue.clear();
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
        if (hasDemand()) {
            onDemand.run();
        }
    }

    private void emitTo(Flow.Subscriber<? super byte[]> to) {
        while (!cancelled && !queue.isEmpty() && demand.get() > 0) {
            demand.decrementAndGet();
            to.onNext(queue.remove());
        }
        if (cancelled) {
            queue.clear();
        } else if (malformedDemand) {
            cancelled = true;
            to.onError(new IllegalArgumentException("the number of requested items is not positive"));
        } else if (ended && queue.isEmpty()) {
            cancelled = true;
            to.onComplete();
        }
    }
}
