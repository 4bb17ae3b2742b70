package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.BodyTransform;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A body that filters control. Buffers chunks until all filters have run, or the whole body for filters that need it;
 * replaces or transforms it. Exists only if a filter requests it.
 *
 * <p>A transform may deliver its output in parts ({@link BodyTransform#more}). {@link #next} returns one part at a time, so
 * that memory holds no more than the receiver accepts; later chunks are queued.
 *
 * <p>Owns the chunks that it holds. Used on the exchange's event loop. Only the running filter may call {@link #bytes},
 * {@link #replace} and {@link #add} on its own thread; the loop does not access the body meanwhile.
 */
final class FilteredBody {
    private static final byte[] NOTHING = {};

    private enum Form {
        /** Chunks are relayed as they arrive, through the transforms. */
        STREAMED,
        /** A filter awaits the whole body, as transformed by the filters before it. */
        GATHERING,
        /** The body is the array {@link #whole}; later chunks are ignored. */
        REPLACED
    }

    private final ArrayDeque<Held> chunks = new ArrayDeque<>(2);
    private final FilterLoop loop;
    private final Runnable onReclaim;
    private final TransformChain transforms;

    private Form form = Form.STREAMED;
    private boolean ended;
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private long length;
    private int limit = Integer.MAX_VALUE;
    /** Memory of a body that is buffered whole; null for a streamed body. */
    private @Nullable HeldBody held;

    private byte @Nullable [] whole;
    private @Nullable BodyTail tail;

    /** A queued chunk. @param from index of the first transform that has not processed it */
    private record Held(ByteBuf chunk, int from) {}

    /** @param exchange for log lines @param onReclaim aborts the exchange if memory for a whole body is missing */
    FilteredBody(FilterLoop loop, FilterSubject exchange, Runnable onReclaim) {
        this.loop = loop;
        this.onReclaim = onReclaim;
        this.transforms = new TransformChain(loop, exchange, onReclaim);
    }

    /**
     * Buffers the whole body, at most {@code bytes}, for a filter. The transforms of the filters before it run to their end
     * first. See {@link #failure}.
     *
     * @return whether the buffered length is within the limit
     */
    boolean limitTo(int bytes) {
        limit = bytes;
        // A complete body does not grow, for example that of an error response for lack of memory.
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
        return length <= bytes;
    }

    /** Reserves memory for chunks that arrived before the body had to be whole. */
    private void keepAgain() {
        takeAll().forEach(chunk -> keep(chunk.chunk(), chunk.from()));
    }

    private List<Held> takeAll() {
        List<Held> all = List.copyOf(chunks);
        chunks.clear();
        length = 0;
        return all;
    }

    /** Returns whether memory for the whole body was missing, which aborts the exchange. */
    boolean isLost() {
        HeldBody h = held;
        return h != null && h.isLost();
    }

    private void gather() {
        form = Form.GATHERING;
        whole = null;
        List<Held> before = takeAll();
        if (held != null) {
            held.begin();
        }
        before.forEach(this::take);
        if (ended && form == Form.GATHERING) {
            gathered();
        }
    }

    /** Holds a chunk. @return false if the held length exceeds the limit; the chunk is held even then */
    boolean hold(ByteBuf chunk) {
        take(new Held(chunk, 0));
        return length <= limit;
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

    /** Beyond the filter's limit the rest stays untransformed: the body bypasses that filter, or the exchange fails. */
    private void gatherMore() {
        while (length <= limit && failure() == null) {
            byte[] more = transforms.more();
            if (more == null) {
                return;
            }
            keep(Unpooled.wrappedBuffer(more), transforms.size());
        }
        form = Form.STREAMED;
    }

    private void keep(ByteBuf chunk, int from) {
        length += chunk.readableBytes();
        HeldBody h = held;
        ByteBuf own = h == null ? chunk : h.keep(chunk);
        if (own != null) {
            chunks.add(new Held(own, from));
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
        List<Held> all = List.copyOf(chunks);
        chunks.clear();
        all.forEach(chunk -> chunks.add(new Held(chunk.chunk(), 0)));
        transforms.clear();
        if (failure() == null) {
            become(bytes());
        }
    }

    boolean isEnded() {
        return ended;
    }

    /** Returns the received trailers; none if a filter has replaced the body. */
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

    /** Returns whether the final length is unknown: transforms may change the bytes, or trailers may follow. */
    boolean isChanged() {
        return transforms.changes() || (tail != null && !tail.isEmpty());
    }

    /** Returns the part that follows the transforms; null if there is none. */
    @Nullable
    BodyTail tail() {
        return tail;
    }

    BodyTail openTail(FilterSubject exchange) {
        tail = tail == null ? new BodyTail(loop, exchange, onReclaim) : tail;
        return tail;
    }

    /** Returns the publishers that the body passes through; null if there are none. */
    @Nullable
    BodyFlow flow() {
        return tail == null ? null : tail.flow();
    }

    /** Returns the failure of a transform; null if there is none. */
    TransformChain.@Nullable Failure failure() {
        return transforms.failure();
    }

    /** Returns the bytes received so far, or their replacement. Filters may read the array and must not change it. */
    byte[] bytes() {
        byte[] all = whole;
        if (all == null) {
            all = new byte[Math.toIntExact(length)];
            int at = 0;
            for (Held held : chunks) {
                ByteBuf chunk = held.chunk();
                int n = chunk.readableBytes();
                chunk.getBytes(chunk.readerIndex(), all, at, n);
                at += n;
            }
            whole = all;
        }
        return all;
    }

    /** Replaces the body, including chunks that have not arrived yet, and drops its trailers. */
    void replace(byte[] by) {
        trailers = EmptyHttpHeaders.INSTANCE;
        become(by);
    }

    private void become(byte[] by) {
        whole = by.clone();
        form = Form.REPLACED;
        transforms.settle();
    }

    /** Adds a transform. @param of the filter that adds it */
    void add(BodyTransform transform, FilterSlot of) {
        if (tail == null || !tail.add(transform, of)) {
            transforms.add(transform, of);
        }
    }

    /** Runs the transforms of a whole body to their end and returns the result. See {@link #failure}. */
    byte[] settle() {
        if (isTransformed()) {
            become(transforms.toTheEnd(bytes().clone()));
            transforms.close();
        }
        return bytes();
    }

    /** Returns the next transformed part of the held chunks, owned by the caller; null if there is none. */
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
        length -= first.chunk().readableBytes();
        return change(first);
    }

    /** Releases the reservation, because the body is sent from here on and no longer has to be whole. */
    private void releaseMemory() {
        HeldBody h = held;
        if (h != null && !h.isLost()) {
            h.release();
            held = null;
        }
    }

    /** Returns whether {@link #next} returns a part, possibly an empty one. */
    boolean hasNext() {
        return !chunks.isEmpty() || hasMore();
    }

    /** Returns whether transforms have undelivered output for the bytes received so far. */
    boolean hasMore() {
        return transforms.hasMore();
    }

    /** Returns the transformed chunk, or its first part. Owns the original. */
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

    /** Flushes output that transforms buffer. See {@link #failure}. */
    ByteBuf flush() {
        return Unpooled.wrappedBuffer(transforms.flush());
    }

    /** Ends the transforms and returns their last output. See {@link #failure}. */
    ByteBuf last() {
        byte[] last = transforms.toTheEnd(NOTHING);
        transforms.close();
        return Unpooled.wrappedBuffer(last);
    }

    /** Releases the held chunks, but not a replacement. */
    void release() {
        for (Held held = chunks.poll(); held != null; held = chunks.poll()) {
            held.chunk().release();
        }
        length = 0;
    }

    void close() {
        release();
        if (held != null) {
            held.release();
        }
        transforms.close();
        closeFlow();
    }

    /** Drops the publishers, for a message without a body as well. */
    void closeFlow() {
        if (tail != null) {
            tail.closeFlow();
        }
    }

    /** Drops the publishers and the actions on the trailers of a message without a body. */
    void closeTail() {
        closeFlow();
        tail = null;
    }
}
