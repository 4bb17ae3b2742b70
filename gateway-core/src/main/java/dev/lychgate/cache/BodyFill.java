package dev.lychgate.cache;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies a response body into pooled buffers while the first client receives it. Stops copying if the body exceeds its
 * maximum length or no memory is left. The client's response is not affected. Used on one event loop.
 */
final class BodyFill {
    /** The size of the first buffer if the length of the body is unknown, in bytes. */
    private static final int FIRST = 4 << 10;

    private final ResponseStore store;
    private final long most;
    /** The announced length; -1 if it is unknown. */
    private final long announced;

    private final List<ByteBuf> chunks = new ArrayList<>(1);
    private @Nullable ByteBuf open;
    private long length;
    private long taken;
    private boolean over;
    private boolean tooLong;

    /**
     * Creates an empty copy of a body.
     *
     * @param most the maximum length of a stored body, in bytes
     * @param announced the length of the body; -1 if it is unknown
     */
    BodyFill(ResponseStore store, long most, long announced) {
        this.store = store;
        this.most = most;
        this.announced = announced;
    }

    /**
     * Copies a chunk of the body, without changing or retaining the chunk. Returns false if the body can no longer be
     * stored.
     */
    boolean add(ByteBuf chunk) {
        if (over) {
            return false;
        }
        int from = chunk.readerIndex();
        int count = chunk.readableBytes();
        tooLong = length + count > most;
        if (tooLong || (announced >= 0 && length + count > announced)) {
            discard();
            return false;
        }
        while (count > 0) {
            ByteBuf own = open;
            if (own == null || own.writableBytes() == 0) {
                own = next(count);
                if (own == null) {
                    discard();
                    return false;
                }
            }
            int part = Math.min(count, own.writableBytes());
            own.writeBytes(chunk, from, part);
            from += part;
            count -= part;
            length += part;
        }
        return true;
    }

    /** Returns whether the body has exceeded its maximum length. */
    boolean isTooLong() {
        return tooLong;
    }

    /** Returns the buffer to which the next bytes are copied; null if no memory is left. */
    private @Nullable ByteBuf next(int wanted) {
        ByteBuf full = open;
        int size;
        if (announced >= 0) {
            size = (int) Math.min(StoredBody.CHUNK, announced - length);
        } else if (full == null || full.capacity() == StoredBody.CHUNK) {
            size = full == null ? Math.max(FIRST, Math.min(wanted, StoredBody.CHUNK)) : StoredBody.CHUNK;
        } else {
            return grown(full);
        }
        if (!store.makeRoom(size)) {
            return null;
        }
        taken += size;
        ByteBuf fresh = PooledByteBufAllocator.DEFAULT.directBuffer(size, size);
        chunks.add(fresh);
        open = fresh;
        return fresh;
    }

    /** Replaces the last buffer, which is full, with a buffer of {@link StoredBody#CHUNK} bytes. */
    private @Nullable ByteBuf grown(ByteBuf full) {
        int more = StoredBody.CHUNK - full.capacity();
        if (!store.makeRoom(more)) {
            return null;
        }
        taken += more;
        ByteBuf larger = PooledByteBufAllocator.DEFAULT.directBuffer(StoredBody.CHUNK, StoredBody.CHUNK);
        larger.writeBytes(full, full.readerIndex(), full.readableBytes());
        full.release();
        chunks.set(chunks.size() - 1, larger);
        open = larger;
        return larger;
    }

    /**
     * Ends the copy, and returns the stored body with one reference, which the caller owns. Returns null if the copy is
     * not complete.
     */
    @Nullable
    StoredBody complete() {
        if (over || (announced >= 0 && length != announced)) {
            discard();
            return null;
        }
        trim();
        over = true;
        return new StoredBody(chunks, taken, store.memory());
    }

    /** Copies the last buffer into a smaller buffer if half of it is unused. */
    private void trim() {
        ByteBuf last = open;
        if (last != null && last.writableBytes() > last.capacity() / 2) {
            int size = last.readableBytes();
            ByteBuf exact = PooledByteBufAllocator.DEFAULT.directBuffer(size, size);
            exact.writeBytes(last, last.readerIndex(), size);
            int unused = last.capacity() - size;
            last.release();
            chunks.set(chunks.size() - 1, exact);
            taken -= unused;
            store.memory().give(unused);
        }
        open = null;
    }

    /** Releases all copied bytes, unless {@link #complete} has returned the body. May be called more than once. */
    void discard() {
        if (!over) {
            over = true;
            chunks.forEach(ByteBuf::release);
            chunks.clear();
            open = null;
            store.memory().give(taken);
            taken = 0;
        }
    }
}
