package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.http.BodySink;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The stages after the publishers of a body: transforms that filters added later, then the receiver. On the exchange's event loop. */
final class BodyOutput {
    private static final byte[] NOTHING = {};

    private final TransformChain transforms;
    private final Consumer<TransformChain.Failure> onFailure;
    private @Nullable BodySink receiver;
    private boolean closed;

    /** @param onFailure called when a transform has failed */
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

    /** Returns whether transforms have output of an item that was not sent yet. */
    boolean hasMore() {
        return transforms.hasMore();
    }

    void start(BodySink to) {
        receiver = to;
    }

    boolean isStarted() {
        return receiver != null;
    }

    /** Returns whether the receiver takes any bytes, now or later. */
    boolean isOpen() {
        return receiver != null && receiver.isOpen();
    }

    boolean isWritable() {
        return receiver != null && receiver.isWritable();
    }

    /** Sends an item, or its first part. */
    void sendItem(byte[] item) {
        send(transforms.through(item, 0));
        sendMore();
    }

    /** Sends parts of an item that transforms expand, while the receiver accepts them. @return whether there were some */
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

    /** Sends what the transforms return at the end of the body. */
    void sendLast() {
        send(transforms.toTheEnd(NOTHING));
    }

    /** Passes on bytes that the transforms retain. */
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

    /** Sends nothing more. */
    void finish() {
        closed = true;
    }

    void close() {
        finish();
        transforms.close();
    }
}
