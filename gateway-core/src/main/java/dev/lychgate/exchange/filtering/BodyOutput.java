package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.http.BodySink;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stages after the publishers of a body: the transforms that filters have added after the publishers, followed by
 * the receiver. Used on the exchange's event loop.
 */
final class BodyOutput {
    private static final byte[] NOTHING = {};

    private final TransformChain transforms;
    private final Consumer<TransformChain.Failure> onFailure;
    private @Nullable BodySink receiver;
    private boolean closed;

    /**
     * Creates an output without a receiver, which {@link #start} sets.
     *
     * @param onFailure called when a transform has failed
     */
    BodyOutput(TransformChain transforms, Consumer<TransformChain.Failure> onFailure) {
        this.transforms = transforms;
        this.onFailure = onFailure;
    }

    void add(BodyTransform transform, FilterSlot by) {
        transforms.add(transform, by);
    }

    boolean isTransformed() {
        return transforms.size() > 0;
    }

    /** Returns whether the transforms have more output of the current item. */
    boolean hasMore() {
        return transforms.hasMore();
    }

    void start(BodySink to) {
        receiver = to;
    }

    boolean isStarted() {
        return receiver != null;
    }

    /** Returns whether the receiver accepts bytes at present or will accept bytes later. */
    boolean isOpen() {
        return receiver != null && receiver.isOpen();
    }

    boolean isWritable() {
        return receiver != null && receiver.isWritable();
    }

    /**
     * Transforms an item and sends the output. If the output has several parts, sends as many parts as the receiver
     * accepts.
     */
    void sendItem(byte[] item) {
        send(transforms.through(item, 0));
        sendMore();
    }

    /**
     * Sends further parts of the transformed item while the receiver accepts them.
     *
     * @return whether there were further parts
     */
    boolean sendMore() {
        boolean some = false;
        while (!closed && isWritable()) {
            byte[] more = transforms.more();
            if (more == null) {
                break;
            }
            some = true;
            send(more);
        }
        return some;
    }

    /** Sends the last output of the transforms at the end of the body. */
    void sendLast() {
        send(transforms.toTheEnd(NOTHING));
    }

    /** Sends bytes that the transforms have buffered. */
    void flush() {
        if (!closed && isTransformed() && !transforms.hasMore()) {
            send(transforms.flush());
        }
    }

    private void send(byte[] bytes) {
        TransformChain.Failure failure = transforms.failure();
        if (failure != null) {
            onFailure.accept(failure);
        } else if (bytes.length > 0 && !closed && receiver != null) {
            receiver.sendBody(Unpooled.wrappedBuffer(bytes));
        }
    }

    /** Stops sending. Later calls send nothing. */
    void finish() {
        closed = true;
    }

    void close() {
        finish();
        transforms.close();
    }
}
