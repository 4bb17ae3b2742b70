package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.http.BodySink;
import dev.lychgate.loop.Deadline;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A body that passes through publishers of filters: a sink for the body as it arrives, and a subscriber to the last
 * publisher. It requests an item when the receiver has accepted the previous one. It reports {@link #isWritable} while the first
 * publisher's subscriber has demand, so that the sender is read only then.
 *
 * <p>Signals may come from any thread. They are queued and processed on the exchange's event loop, as all else here.
 */
final class BodyFlow implements BodySink, Flow.Subscriber<byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(BodyFlow.class);
    private static final byte[] NOTHING = {};
    /** Signals that are processed before other exchanges have a turn, for publishers that emit whenever an item is requested. */
    private static final int SIGNALS_PER_TURN = 64;

    /** The last signal of a subscription. @param failure null if it completed */
    private record End(@Nullable Throwable failure) {}

    private final FilterLoop loop;
    private final FilterSubject exchange;
    private final BodyFlowInput input;
    /** Transforms that filters have added after the publishers. */
    private final TransformChain after;

    private final Queue<Object> signals = new ConcurrentLinkedQueue<>();
    private final BodyPublishers publishers;
    private FilterSlot last;

    private Flow.@Nullable Subscription subscription;
    private @Nullable BodySink receiver;
    private @Nullable FilterHost host;
    private Runnable demand = () -> {};
    private Consumer<HttpHeaders> onEnd = trailers -> {};
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private boolean ended;
    private boolean requested;
    private boolean draining;
    /** Whether a filter's publisher is being called. Its signals are processed afterwards: their work is not its own. */
    private boolean calling;
    /** Whether {@link #drain} runs in a later turn. */
    private boolean resuming;

    /** Whether received bytes are being passed on: their read is flushed, and paused if need be, by the caller. */
    private boolean feeding;

    private boolean refused;
    private boolean over;
    private final Deadline limit = Deadline.of(this::onTimeout);
    /** Whether the publishers have to emit before {@link #limit}. */
    private boolean limited;

    /** @param of the first filter that adds a publisher */
    BodyFlow(FilterLoop loop, FilterSubject exchange, FilterSlot of, Runnable onReclaim) {
        this.loop = loop;
        this.exchange = exchange;
        this.last = of;
        this.after = new TransformChain(loop, exchange, onReclaim);
        this.input = new BodyFlowInput(loop, exchange, of, this::onEmitted, failure -> fail(failure, of));
        this.publishers = new BodyPublishers(input);
    }

    /** Adds a publisher after the others. @param by the filter that adds it */
    void map(UnaryOperator<Flow.Publisher<byte[]>> operator, FilterSlot by) {
        if (after.size() > 0) {
            throw new IllegalStateException("a body transform is set between two publishers of the body");
        }
        publishers.map(operator, by);
        last = by;
    }

    void add(BodyTransform transform, FilterSlot by) {
        after.add(transform, by);
    }

    boolean isStarted() {
        return receiver != null;
    }

    /** Returns whether the publishers have neither ended the body nor failed. */
    @Override
    public boolean isOpen() {
        return !over;
    }

    // ---- input, on the event loop

    /**
     * Subscribes, when the head has been sent.
     *
     * @param onMore called when more of the received body is accepted, after {@link #isWritable} returned false
     * @param end sends the end of the message, with its trailers
     */
    void start(BodySink to, FilterHost exchangeHost, Runnable onMore, Consumer<HttpHeaders> end) {
        receiver = to;
        host = exchangeHost;
        demand = onMore;
        onEnd = end;
        call(() -> publishers.output().subscribe(this));
        loop.loop().onLoop(this::drain);
    }

    /** Calls a filter's publisher, which may throw against its contract. */
    private void call(Runnable call) {
        boolean outer = calling;
        calling = true;
        loop.guard().enter(last, exchange, loop.nanoTime(), false);
        try {
            call.run();
        } catch (Throwable e) {
            signal(new End(e));
        } finally {
            loop.guard().leave();
            calling = outer;
        }
    }

    @Override
    public void sendBody(ByteBuf chunk) {
        if (ended) {
            // A replaced body is complete; the rest of the received one follows.
            chunk.release();
            return;
        }
        byte[] bytes = new byte[chunk.readableBytes()];
        chunk.readBytes(bytes);
        chunk.release();
        feed(() -> input.next(bytes));
    }

    @Override
    public void sendEnd(HttpHeaders last) {
        if (!ended) {
            trailers = last;
            ended = true;
            feed(input::end);
            limit();
        }
    }

    private void feed(Runnable action) {
        if (over) {
            return;
        }
        boolean outer = feeding;
        feeding = true;
        try {
            action.run();
        } finally {
            feeding = outer;
        }
    }

    @Override
    public boolean isWritable() {
        refused = !over && !input.hasDemand();
        limit();
        return !refused;
    }

    /** Returns whether an item is due: it is requested, and the publishers receive no more, or do not request it. */
    private boolean isDue() {
        return !over && receiver != null && (requested || subscription == null) && (ended || refused);
    }

    /** Limits the wait for a due item to the timeout of the filter. */
    private void limit() {
        if (!limited && isDue()) {
            limited = true;
            loop.loop().deadlines().arm(limit, last.timeoutNanos());
        }
    }

    private void onTimeout() {
        boolean expired = limited && isDue();
        limited = false;
        if (expired && receiver != null && receiver.isOpen() && signals.isEmpty()) {
            fail(new TimeoutException("the publisher of a body exceeded the timeout of its filter"), last);
        } else if (expired) {
            // The request is between two attempts, or the receiver accepts nothing.
            limit();
        }
    }

    private void onEmitted() {
        drain();
        if (input.hasDemand()) {
            onDemand();
        }
    }

    private void onDemand() {
        if (refused && !feeding && !ended) {
            refused = false;
            limited = false;
            demand.run();
        }
    }

    // ---- output

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        signal(subscription);
    }

    @Override
    public void onNext(byte[] item) {
        signal(Objects.requireNonNull(item, "an item is null"));
    }

    @Override
    public void onError(Throwable failure) {
        signal(new End(failure));
    }

    @Override
    public void onComplete() {
        signal(new End(null));
    }

    private void signal(Object signal) {
        signals.add(signal);
        loop.loop().onLoop(this::drain);
    }

    private void drain() {
        BodySink to = receiver;
        if (draining || calling || input.isEmitting() || to == null || !(over || to.isOpen())) {
            return;
        }
        draining = true;
        boolean some = false;
        try {
            some = sendMore();
            int left = SIGNALS_PER_TURN;
            while (!signals.isEmpty() && !after.hasMore() && (over || to.isOpen())) {
                if (left-- == 0) {
                    resume();
                    break;
                }
                some = true;
                process(signals.remove());
            }
        } finally {
            draining = false;
        }
        if (some && !feeding && host != null) {
            flush();
            host.onResumed();
        }
    }

    /** Processes more signals in a later turn of the loop. */
    private void resume() {
        if (!resuming) {
            resuming = true;
            loop.loop().later(() -> {
                resuming = false;
                drain();
            });
        }
    }

    private void process(Object signal) {
        if (signal instanceof Flow.Subscription s) {
            if (over || subscription != null) {
                cancel(s);
            } else {
                subscription = s;
                request();
            }
        } else if (over) {
            return;
        } else if (signal instanceof byte[] item) {
            requested = false;
            limited = false;
            send(after.through(item, 0));
            sendMore();
            requestNext();
        } else if (signal instanceof End end) {
            end(end.failure);
        }
    }

    /** Sends parts of an item that transforms expand, while the receiver accepts them. @return whether there were some */
    private boolean sendMore() {
        boolean some = false;
        while (!over && receiver != null && receiver.isWritable()) {
            byte[] more = after.more();
            if (more == null) {
                break;
            }
            some = true;
            send(more);
        }
        return some;
    }

    private void end(@Nullable Throwable failure) {
        if (failure != null) {
            fail(failure, last);
            return;
        }
        send(after.toTheEnd(NOTHING));
        if (!over) {
            finish();
            after.close();
            input.close();
            onEnd.accept(trailers);
            onDemand();
        }
    }

    private void send(byte[] bytes) {
        TransformChain.Failure failure = after.failure();
        if (failure != null) {
            failLogged(failure);
        } else if (bytes.length > 0 && !over && receiver != null) {
            receiver.sendBody(Unpooled.wrappedBuffer(bytes));
        }
    }

    /** Passes on bytes that transforms after the publishers retain. */
    void flush() {
        if (!over && after.size() > 0 && !after.hasMore()) {
            send(after.flush());
        }
    }

    /** Sends the rest of the item, then requests the next one, if the receiver accepts it. */
    void requestIfWritable() {
        drain();
        requestNext();
        drain();
    }

    private void requestNext() {
        if (receiver != null && receiver.isWritable() && !after.hasMore()) {
            request();
        }
    }

    private void request() {
        Flow.Subscription s = subscription;
        if (s != null && !requested && !over) {
            requested = true;
            call(() -> s.request(1));
            limit();
        }
    }

    /** Cancels a subscription of a filter's publisher, which may throw against its contract. */
    private void cancel(Flow.Subscription s) {
        loop.guard().enter(last, exchange, loop.nanoTime(), false);
        try {
            s.cancel();
        } catch (Throwable e) {
            LogMark mark = exchange.mark();
            mark.on(LOG.atError()).setCause(e).log("{}{} failed to cancel its publisher", mark, last);
        } finally {
            loop.guard().leave();
        }
    }

    // ---- end

    /** @param of the filter at fault, unless the failure is that of an earlier publisher */
    private void fail(Throwable failure, FilterSlot of) {
        failLogged(publishers.failure(failure, of));
    }

    private void failLogged(TransformChain.Failure failure) {
        FilterHost h = host;
        if (!over && h != null) {
            finish();
            GatewayError error = FilterFailures.ofTransform(loop, exchange, failure);
            h.failLogged(error);
        }
    }

    private void finish() {
        over = true;
        loop.loop().deadlines().remove(limit);
    }

    /** Cancels the subscription; the exchange has ended, or the body was replaced. */
    void close() {
        finish();
        demand = () -> {};
        input.close();
        after.close();
        Flow.Subscription s = subscription;
        subscription = null;
        if (s != null) {
            cancel(s);
        }
        // A subscription may have arrived while the receiver was closed, or may still arrive.
        host = null;
        drain();
    }
}
