package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.exchange.filtering.HeldChunks.Held;
import dev.lychgate.filter.BodyTransform;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A body that filters control. This class buffers chunks until all filters have run, and buffers the whole body for
 * filters that need the whole body. It also applies replacements and transforms. Created only if a filter uses the
 * body.
 *
 * <p>A transform may deliver its output in parts ({@link BodyTransform#more}). {@link #next} returns one part at a
 * time, so that only as much output is in memory as the receiver accepts. Later chunks are queued.
 *
 * <p>This object owns the chunks that it holds. Used on the exchange's event loop, with one exception: the running
 * filter may call {@link #bytes}, {@link #replace} and {@link #add} on its own thread. While the filter runs, the loop
 * does not access the body.
 */
final class FilteredBody {
    private static final byte[] NOTHING = {};

    private enum Form {
        /** Chunks pass through the transforms and are relayed as they arrive. */
        STREAMED,
        /**
         * A filter waits for the whole body. The transforms of earlier filters have already been applied to the
         * gathered bytes.
         */
        GATHERING,
        /** The body is the array {@link #whole}. Later chunks are ignored. */
        REPLACED
    }

    private final HeldChunks chunks = new HeldChunks();
    private final FilterLoop loop;
    private final Runnable onReclaim;
    private final TransformChain transforms;

    private Form form = Form.STREAMED;
    private boolean ended;
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private int limit = Integer.MAX_VALUE;
    /** The memory of a body that is buffered whole; null for a streamed body. */
    private @Nullable HeldBody held;

    private byte @Nullable [] whole;
    private @Nullable BodyTail tail;

    /**
     * Creates an empty body.
     *
     * @param exchange supplies the request id and the route for log lines
     * @param onReclaim fails the exchange if there is no memory for a whole body
     */
    FilteredBody(FilterLoop loop, FilterSubject exchange, Runnable onReclaim) {
        this.loop = loop;
        this.onReclaim = onReclaim;
        this.transforms = new TransformChain(loop, exchange, onReclaim);
    }

    /**
     * Buffers the whole body for a filter. The transforms of earlier filters process the whole body first, and may set
     * {@link #failure}.
     *
     * @param bytes the maximum length of the body
     * @return whether the length of the buffered bytes is within the limit
     */
    boolean limitTo(int bytes) {
        limit = bytes;
        // A complete body needs no reservation, because it does not grow. For example, an error response that reports a
        // lack of memory has a complete body.
        if (held == null && !ended) {
            held = new HeldBody(loop.loop(), this::release, onReclaim);
            keepAgain();
        }
        if (isTransformed()) {
            if (form == Form.REPLACED) {
                settle();
            } else {
                gather();
            }
        }
        return chunks.length() <= bytes;
    }

    /** Reserves memory for the chunks that arrived before a filter required the whole body. */
    private void keepAgain() {
        chunks.removeAll().forEach(chunk -> keep(chunk.chunk(), chunk.from()));
    }

    /** Returns whether the exchange fails because there was no memory for the whole body. */
    boolean isLost() {
        HeldBody h = held;
        return h != null && h.isLost();
    }

    private void gather() {
        form = Form.GATHERING;
        whole = null;
        List<Held> before = chunks.removeAll();
        if (held != null) {
            held.begin();
        }
        before.forEach(this::take);
        if (ended && form == Form.GATHERING) {
            gathered();
        }
    }

    /**
     * Holds a chunk. This method owns {@code chunk}.
     *
     * @return false if the length of the held bytes exceeds the limit; the chunk is held even in this case
     */
    boolean hold(ByteBuf chunk) {
        take(new Held(chunk, 0));
        return chunks.length() <= limit;
    }

    private void take(Held chunk) {
        if (form == Form.GATHERING && chunk.from() < transforms.size()) {
            gatherMore();
        }
        if (form == Form.GATHERING) {
            keep(change(chunk), transforms.size());
            gatherMore();
        } else {
            keep(chunk.chunk(), chunk.from());
        }
    }

    /**
     * Gathers transformed bytes up to the limit of the filter. The rest of a longer body is not transformed here,
     * because a longer body bypasses the filter or makes the exchange fail.
     */
    private void gatherMore() {
        while (chunks.length() <= limit && failure() == null) {
            byte[] more = transforms.more();
            if (more == null) {
                return;
            }
            keep(Unpooled.wrappedBuffer(more), transforms.size());
        }
        form = Form.STREAMED;
    }

    private void keep(ByteBuf chunk, int from) {
        chunks.received(chunk.readableBytes());
        HeldBody h = held;
        ByteBuf own = h == null ? chunk : h.keep(chunk);
        if (own != null) {
            chunks.add(own, from);
        }
    }

    void end(HttpHeaders last) {
        ended = true;
        trailers = form == Form.REPLACED ? EmptyHttpHeaders.INSTANCE : last;
        if (held != null) {
            held.complete();
        }
        if (form == Form.GATHERING) {
            gathered();
        }
    }

    private void gathered() {
        form = Form.STREAMED;
        keep(last(), 0);
        chunks.restart();
        transforms.clear();
        if (failure() == null) {
            become(bytes());
        }
    }

    boolean isEnded() {
        return ended;
    }

    /** Returns the received trailers; empty if a filter has replaced the body. */
    HttpHeaders trailers() {
        return trailers;
    }

    boolean isReplaced() {
        return form == Form.REPLACED;
    }

    boolean isTransformed() {
        return transforms.size() > 0;
    }

    boolean isWhole() {
        return form == Form.REPLACED || ended;
    }

    /**
     * Returns whether the final length is unknown, because transforms or publishers may change the bytes, or trailers
     * may follow.
     */
    boolean isChanged() {
        return transforms.changes() || (tail != null && !tail.isEmpty());
    }

    /** Returns the stages after the transforms; null if there are no such stages. */
    @Nullable
    BodyTail tail() {
        return tail;
    }

    BodyTail openTail(FilterSubject exchange) {
        tail = tail == null ? new BodyTail(loop, exchange, onReclaim) : tail;
        return tail;
    }

    /** Returns the publishers through which the body passes; null if there are no publishers. */
    @Nullable
    BodyFlow flow() {
        return tail == null ? null : tail.flow();
    }

    /** Returns the failure of a transform; null if no transform has failed. */
    TransformChain.@Nullable Failure failure() {
        return transforms.failure();
    }

    /**
     * Returns the received bytes or, if a filter has replaced the body, the replacement. Callers must not change the
     * array.
     */
    byte[] bytes() {
        byte[] all = whole;
        if (all == null) {
            all = chunks.bytes();
            whole = all;
        }
        return all;
    }

    /** Replaces the body, including chunks that have not arrived yet, and drops the trailers. */
    void replace(byte[] by) {
        trailers = EmptyHttpHeaders.INSTANCE;
        become(by);
    }

    private void become(byte[] by) {
        whole = by.clone();
        form = Form.REPLACED;
        transforms.settle();
    }

    /**
     * Adds a transform.
     *
     * @param of the filter that adds the transform
     */
    void add(BodyTransform transform, FilterSlot of) {
        if (tail == null || !tail.add(transform, of)) {
            transforms.add(transform, of);
        }
    }

    /** Transforms a whole body completely and returns the result. Transforms may set {@link #failure}. */
    byte[] settle() {
        if (isTransformed()) {
            become(transforms.toTheEnd(bytes().clone()));
            transforms.close();
        }
        return bytes();
    }

    /**
     * Returns the next transformed part of the held chunks; null if no part is left. The caller owns the returned part.
     */
    @Nullable
    ByteBuf next() {
        Held first = chunks.peek();
        if (first == null || first.from() == 0) {
            byte[] more = transforms.more();
            if (more != null) {
                return Unpooled.wrappedBuffer(more);
            }
        }
        if (first == null || failure() != null) {
            return null;
        }
        chunks.remove();
        releaseMemory();
        return change(first);
    }

    /** Releases the reserved memory. From now on, the body is being sent and does not have to stay complete. */
    private void releaseMemory() {
        HeldBody h = held;
        if (h != null && !h.isLost()) {
            h.release();
            held = null;
        }
    }

    /** Returns whether {@link #next} returns a part, which may be empty. */
    boolean hasNext() {
        return !chunks.isEmpty() || hasMore();
    }

    /** Returns whether transforms have undelivered output for the bytes that have been received. */
    boolean hasMore() {
        return transforms.hasMore();
    }

    /** Returns the transformed chunk, or the first part of the transformed chunk. This method owns {@code held}. */
    private ByteBuf change(Held held) {
        ByteBuf chunk = held.chunk();
        if (held.from() == transforms.size()) {
            return chunk;
        }
        byte[] bytes = new byte[chunk.readableBytes()];
        chunk.getBytes(chunk.readerIndex(), bytes);
        byte[] through = transforms.through(bytes, held.from());
        if (!transforms.changes() && failure() == null) {
            return chunk;
        }
        chunk.release();
        return Unpooled.wrappedBuffer(through);
    }

    /** Returns output that transforms have buffered. Transforms may set {@link #failure}. */
    ByteBuf flush() {
        return Unpooled.wrappedBuffer(transforms.flush());
    }

    /** Ends the transforms and returns their last output. Transforms may set {@link #failure}. */
    ByteBuf last() {
        byte[] last = transforms.toTheEnd(NOTHING);
        transforms.close();
        return Unpooled.wrappedBuffer(last);
    }

    /** Releases the held chunks. A replacement is kept. */
    void release() {
        chunks.release();
    }

    void close() {
        release();
        if (held != null) {
            held.release();
        }
        transforms.close();
        closeFlow();
    }

    /** Drops the publishers, because the body was replaced or the message has no body. */
    void closeFlow() {
        if (tail != null) {
            tail.closeFlow();
        }
    }

    /** Drops the publishers and the actions on trailers, because the message has no body. */
    void closeTail() {
        closeFlow();
        tail = null;
    }
}
