package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.filter.BodyTransform;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A body that filters control: chunks wait here until all filters have run, are kept whole for filters that need them whole, and
 * are replaced or transformed. There is none for a body that no filter asks for.
 *
 * <p>A transform may deliver its output in parts ({@link BodyTransform#more}). {@link #next} returns one of them at a time, so
 * that no more is in memory than the receiver takes; chunks that arrive meanwhile wait.
 *
 * <p>Owns the chunks it holds. Used on the exchange's event loop, except {@link #bytes}, {@link #replace} and {@link #add}, which
 * the filter that runs may call on its own thread: the loop leaves the body alone while it does.
 */
final class FilteredBody {
    private static final byte[] NOTHING = {};

    private enum Form {
        /** Chunks go on as they arrive, each through the transforms. */
        STREAMED,
        /** A filter awaits all of it, as the transforms of the filters before it leave it. */
        GATHERING,
        /** Known as one array, {@link #whole}, whatever still arrives. */
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
    /** The memory of a body that has to be whole; null for one that is streamed. */
    private @Nullable HeldBody held;

    private byte @Nullable [] whole;

    /** A chunk that waits. @param from the first of the transforms that has not seen it yet */
    private record Held(ByteBuf chunk, int from) {}

    /** @param exchange the exchange whose body it is @param onReclaim aborts it if there is no memory for a whole body */
    FilteredBody(FilterLoop loop, LogMark.Source exchange, Runnable onReclaim) {
        this.loop = loop;
        this.onReclaim = onReclaim;
        this.transforms = new TransformChain(loop, exchange, onReclaim);
    }

    // ---- what arrives

    /**
     * Holds at most {@code bytes} from here on, for a filter that sees all of it, as the transforms of the filters before it
     * leave it; those are done then. See {@link #failure}.
     *
     * @return whether no more than that is held already
     */
    boolean limitTo(int bytes) {
        limit = bytes;
        // A body that has ended grows no more, such as that of an error response for lack of memory.
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

    /** Chunks that arrived before the body had to be whole are counted from here on. */
    private void keepAgain() {
        takeAll().forEach(chunk -> keep(chunk.chunk(), chunk.from()));
    }

    private List<Held> takeAll() {
        List<Held> all = List.copyOf(chunks);
        chunks.clear();
        length = 0;
        return all;
    }

    /** Whether there was no memory for all of it: it can't become whole, and the exchange is aborted in its turn. */
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

    /** Holds a chunk. @return false if that makes it more than may be held; it is held all the same */
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

    /** Beyond the limit of the filter the rest is left as it arrived: the body goes on without that filter, if at all. */
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

    /** The body is complete. */
    void end(HttpHeaders last) {
        ended = true;
        trailers = last;
        if (held != null) {
            held.complete();
        }
        if (form == Form.GATHERING) {
            gathered();
        }
    }

    private void gathered() {
        form = Form.STREAMED;
        keep(tail(), 0);
        List<Held> all = List.copyOf(chunks);
        chunks.clear();
        all.forEach(chunk -> chunks.add(new Held(chunk.chunk(), 0)));
        transforms.clear();
        if (failure() == null) {
            replace(bytes());
        }
    }

    boolean isEnded() {
        return ended;
    }

    HttpHeaders trailers() {
        return trailers;
    }

    boolean isReplaced() {
        return form == Form.REPLACED;
    }

    boolean isTransformed() {
        return transforms.size() > 0;
    }

    /** Whether all of it is known here. */
    boolean isWhole() {
        return form == Form.REPLACED || ended;
    }

    /** Whether other bytes may go on than have arrived, and how many is unknown. */
    boolean isChanged() {
        return transforms.changes();
    }

    /** Returns how a transform has failed; null if none has. */
    TransformChain.@Nullable Failure failure() {
        return transforms.failure();
    }

    /** Returns all that has arrived, or what it was replaced with. Filters may read the array and must not change it. */
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

    // ---- changes

    /** Replaces what has arrived and what still arrives. */
    void replace(byte[] by) {
        whole = by.clone();
        form = Form.REPLACED;
        transforms.settle();
    }

    /** @param of the filter whose transform it is */
    void add(BodyTransform transform, FilterSlot of) {
        transforms.add(transform, of);
    }

    /** Returns the body as it goes on, where all of it is known: its transforms are done then. See {@link #failure}. */
    byte[] settle() {
        if (isTransformed()) {
            replace(transforms.toTheEnd(bytes().clone()));
            transforms.close();
        }
        return bytes();
    }

    // ---- what goes on

    /** Returns the next part of what is held, as it goes on, owned by the caller; null if there is none (any more). */
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

    /** The body is sent from here on and no longer has to be whole: the budget reclaims nothing of it. */
    private void releaseMemory() {
        HeldBody h = held;
        if (h != null && !h.isLost()) {
            h.release();
            held = null;
        }
    }

    /** Whether {@link #next} returns something, possibly an empty part. */
    boolean hasNext() {
        return !chunks.isEmpty() || hasMore();
    }

    /** Whether transforms have not delivered yet all that they make of what has arrived. */
    boolean hasMore() {
        return transforms.hasMore();
    }

    /** Returns the chunk as it goes on, or the first part of that; owns the one that arrived. */
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

    /** Returns what transforms hold back although the receiver may be waiting for it. See {@link #failure}. */
    ByteBuf flush() {
        return Unpooled.wrappedBuffer(transforms.flush());
    }

    /** Returns what the transforms still have at the end: they are done then. See {@link #failure}. */
    ByteBuf tail() {
        byte[] tail = transforms.toTheEnd(NOTHING);
        transforms.close();
        return Unpooled.wrappedBuffer(tail);
    }

    // ---- its end

    /** Releases what is held; what it was replaced with stays. */
    void release() {
        for (Held held = chunks.poll(); held != null; held = chunks.poll()) {
            held.chunk().release();
        }
        length = 0;
    }

    /** The body is not needed any more. */
    void close() {
        release();
        if (held != null) {
            held.release();
        }
        transforms.close();
    }
}
