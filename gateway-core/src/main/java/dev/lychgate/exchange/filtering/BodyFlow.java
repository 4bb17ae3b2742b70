package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.http.BodySink;
import io.netty.buffer.ByteBuf;
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

/**
 * Passes a body through the publishers of filters. A flow is a sink for the arriving body and a subscriber to the last
 * publisher. When the receiver has accepted an item, the flow requests the next item from the last publisher. While the
 * first publisher requests no more of the arriving body, {@link #isWritable} returns false, and the gateway pauses
 * reading from the sender.
 *
 * <p>Publishers may signal on any thread. Their signals are queued and processed on the exchange's event loop. All
 * other methods are called on this loop.
 */
final class BodyFlow implements BodySink, Flow.Subscriber<byte[]> {
    /**
     * The maximum number of signals that are processed before other exchanges get a turn. Without this limit, a
     * publisher that immediately emits each requested item could occupy the event loop.
     */
    private static final int SIGNALS_PER_TURN = 64;

    /**
     * The last signal of a subscription.
     *
     * @param failure the error; null if the publisher completed
     */
    private record End(@Nullable Throwable failure) {}

    private final FilterLoop loop;
    private final FilterSubject exchange;
    private final BodyFlowInput input;
    private final BodyOutput output;
    private final Queue<Object> signals = new ConcurrentLinkedQueue<>();
    private final BodyPublishers publishers;
    private final BodySubscription subscription;
    private @Nullable FilterHost host;
    private Runnable demand = () -> {};
    private Consumer<HttpHeaders> onEnd = trailers -> {};
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private boolean ended;
    private boolean draining;
    /** Whether {@link #drain} is scheduled for a later turn. */
    private boolean resuming;
    /**
     * Whether received bytes are being passed to the publishers. If so, the caller flushes, and pauses reading if
     * necessary.
     */
    private boolean feeding;

    private boolean refused;
    private boolean over;

    /**
     * Creates a flow without publishers.
     *
     * @param of the first filter that adds a publisher
     */
    BodyFlow(FilterLoop loop, FilterSubject exchange, FilterSlot of, Runnable onReclaim) {
        this.loop = loop;
        this.exchange = exchange;
        this.subscription = new BodySubscription(loop, exchange, of, this::onTimeout);
        this.output = new BodyOutput(new TransformChain(loop, exchange, onReclaim), this::failLogged);
        this.input = new BodyFlowInput(loop, exchange, of, this::onEmitted, failure -> fail(failure, of));
        this.publishers = new BodyPublishers(input);
    }

    /**
     * Adds a publisher after the existing publishers.
     *
     * @param by the filter that adds the publisher
     */
    void map(UnaryOperator<Flow.Publisher<byte[]>> operator, FilterSlot by) {
        if (output.isTransformed()) {
            throw new IllegalStateException("no second publisher can be added to the body, because a transform was "
                    + "added after the first publisher");
        }
        publishers.map(operator, by);
        subscription.of(by);
    }

    void add(BodyTransform transform, FilterSlot by) {
        output.add(transform, by);
    }

    boolean isStarted() {
        return output.isStarted();
    }

    /** Returns whether the publishers have neither ended the body nor failed. */
    @Override
    public boolean isOpen() {
        return !over;
    }

    // ---- input, on the event loop

    /**
     * Subscribes to the last publisher. Called when the head has been sent.
     *
     * @param onMore called when more of the received body is accepted after {@link #isWritable} has returned false
     * @param end sends the end of the message, with its trailers
     */
    void start(BodySink to, FilterHost exchangeHost, Runnable onMore, Consumer<HttpHeaders> end) {
        output.start(to);
        host = exchangeHost;
        demand = onMore;
        onEnd = end;
        endWith(subscription.subscribe(publishers.output(), this));
        loop.loop().onLoop(this::drain);
    }

    /**
     * Ends the body with a failure if a publisher threw an exception instead of signaling the exception.
     *
     * @param thrown the exception; null if the publisher threw no exception
     */
    private void endWith(@Nullable Throwable thrown) {
        if (thrown != null) {
            signal(new End(thrown));
        }
    }

    @Override
    public void sendBody(ByteBuf chunk) {
        if (ended) {
            // The rest of the received body is discarded, because a filter has replaced the body and the replacement is
            // complete.
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

    /**
     * Returns whether the publishers must emit an item without more input. This is the case if an item is requested,
     * and either the received body has ended or the publishers do not request more of the received body.
     */
    private boolean isDue() {
        return !over && output.isStarted() && subscription.isOwed() && (ended || refused);
    }

    /** Limits the wait for a due item to the timeout of the filter. */
    private void limit() {
        if (isDue()) {
            subscription.limit();
        }
    }

    private void onTimeout() {
        if (isDue() && output.isOpen() && signals.isEmpty()) {
            fail(new TimeoutException("the body publisher exceeded the timeout of its filter"), subscription.of());
        } else {
            // The publisher does not count as late while the request is between two attempts or the receiver accepts
            // nothing.
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
            subscription.unlimit();
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
        if (draining || subscription.isCalling() || input.isEmitting() || !canProcess()) {
            return;
        }
        draining = true;
        boolean some = false;
        try {
            some = output.sendMore();
            int left = SIGNALS_PER_TURN;
            while (!signals.isEmpty() && !output.hasMore() && canProcess()) {
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

    /**
     * Returns whether signals can be processed. Signals after the end of the body are always processed, because they
     * are dropped; other signals wait until the receiver is open.
     */
    private boolean canProcess() {
        return output.isStarted() && (over || output.isOpen());
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
            if (over || !subscription.take(s)) {
                subscription.cancel(s);
            } else {
                request();
            }
        } else if (over) {
            return;
        } else if (signal instanceof byte[] item) {
            subscription.received();
            output.sendItem(item);
            requestNext();
        } else if (signal instanceof End end) {
            end(end.failure);
        }
    }

    private void end(@Nullable Throwable failure) {
        if (failure != null) {
            fail(failure, subscription.of());
            return;
        }
        output.sendLast();
        if (!over) {
            finish();
            output.close();
            input.close();
            onEnd.accept(trailers);
            onDemand();
        }
    }

    /** Sends bytes that the transforms after the publishers have buffered. */
    void flush() {
        output.flush();
    }

    /** Sends the rest of the current item while the receiver accepts it, then requests the next item. */
    void requestIfWritable() {
        drain();
        requestNext();
        drain();
    }

    private void requestNext() {
        if (output.isWritable() && !output.hasMore()) {
            request();
        }
    }

    private void request() {
        if (!over) {
            endWith(subscription.request());
            limit();
        }
    }

    // ---- end

    /**
     * Fails the exchange.
     *
     * @param of the filter at fault, unless an earlier publisher has caused the failure
     */
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
        output.finish();
        subscription.finish();
    }

    /** Cancels the subscription, because the exchange has ended or the body was replaced. */
    void close() {
        finish();
        demand = () -> {};
        input.close();
        output.close();
        subscription.close();
        // A subscription may have arrived while the receiver was not open, or may arrive later; drain() cancels it.
        host = null;
        drain();
    }
}
