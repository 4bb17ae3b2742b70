package dev.lychgate.exchange.filtering;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queued chunks of a body, in order, which it owns. On the exchange's event loop. */
final class HeldChunks {
    private final ArrayDeque<Held> chunks = new ArrayDeque<>(2);
    private long length;

    /** A queued chunk. @param from index of the first transform that has not processed it */
    record Held(ByteBuf chunk, int from) {}

    boolean isEmpty() {
        return chunks.isEmpty();
    }

    /** Returns the number of received bytes. */
    long length() {
        return length;
    }

    /** Counts received bytes, wherever they are kept. */
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

    /** Removes the first chunk; the caller owns it. */
    Held remove() {
        Held first = chunks.remove();
        length -= first.chunk().readableBytes();
        return first;
    }

    /** Removes all chunks; the caller owns them. */
    List<Held> removeAll() {
        List<Held> all = List.copyOf(chunks);
        chunks.clear();
        length = 0;
        return all;
    }

    /** Records that no transform has processed the chunks. */
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
