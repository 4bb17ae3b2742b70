package dev.lychgate.exchange.filtering;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue of body chunks. Owns the chunks. Used on the exchange's event loop. */
final class HeldChunks {
    private final ArrayDeque<Held> chunks = new ArrayDeque<>(2);
    private long length;

    /**
     * A queued chunk.
     *
     * @param from the index of the first transform that has not processed the chunk
     */
    record Held(ByteBuf chunk, int from) {}

    boolean isEmpty() {
        return chunks.isEmpty();
    }

    /** Returns the number of bytes in the queued chunks. */
    long length() {
        return length;
    }

    /**
     * Adds received bytes to the length. Called for a new buffer, and also for bytes that were appended to the last
     * queued buffer.
     */
    void received(int bytes) {
        length += bytes;
    }

    void add(ByteBuf chunk, int from) {
        chunks.add(new Held(chunk, from));
    }

    @Nullable
    Held peek() {
        return chunks.peek();
    }

    /** Removes and returns the first chunk, which the caller owns. */
    Held remove() {
        Held first = chunks.remove();
        length -= first.chunk().readableBytes();
        return first;
    }

    /** Removes and returns all chunks, which the caller owns. */
    List<Held> removeAll() {
        List<Held> all = List.copyOf(chunks);
        chunks.clear();
        length = 0;
        return all;
    }

    /** Marks all chunks as unprocessed by transforms. */
    void restart() {
        List<Held> all = List.copyOf(chunks);
        chunks.clear();
        all.forEach(held -> add(held.chunk(), 0));
    }

    /** Returns a copy of the bytes. */
    byte[] bytes() {
        byte[] all = new byte[Math.toIntExact(length)];
        int at = 0;
        for (Held held : chunks) {
            ByteBuf chunk = held.chunk();
            int n = chunk.readableBytes();
            chunk.getBytes(chunk.readerIndex(), all, at, n);
            at += n;
        }
        return all;
    }

    void release() {
        for (Held held = chunks.poll(); held != null; held = chunks.poll()) {
            held.chunk().release();
        }
        length = 0;
    }
}
