package dev.lychgate.server.origin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What all connections of one origin share: its name, its count, its ready-made bytes. Any thread may ask. */
final class Desk {
    private static final int MOST_READY = 256;
    private static final int LARGEST_READY = 16 << 10;

    final String name;
    private final LongAdder requests = new LongAdder();
    private final ByteBuf block = DemoContent.directBlock();
    private final ByteBuf sharedBlock = Unpooled.unreleasableBuffer(block);
    private final ConcurrentHashMap<Integer, ByteBuf> ready = new ConcurrentHashMap<>();
    private boolean closed;

    Desk(String name) {
        this.name = name;
    }

    void count() {
        requests.increment();
    }

    long requests() {
        return requests.sum();
    }

    /** Bytes of the content from {@code offset}, at most {@code most}; need not be released. */
    ByteBuf content(long offset, long most) {
        int from = (int) (offset % DemoContent.BLOCK);
        return sharedBlock.slice(from, (int) Math.min(DemoContent.BLOCK - from, most));
    }

    /**
     * The whole plain answer of {@code length} bytes, head and all, or null if it is not worth keeping; need not be
     * released.
     */
    @Nullable
    ByteBuf ready(long length) {
        if (length > LARGEST_READY) {
            return null;
        }
        Integer key = (int) length;
        ByteBuf whole = ready.get(key);
        if (whole == null) {
            if (ready.size() >= MOST_READY) {
                return null;
            }
            whole = ready.computeIfAbsent(key, this::encode);
        }
        return Unpooled.unreleasableBuffer(whole).duplicate();
    }

    /** Frees the bytes; nothing may be on its way to a socket any more. */
    synchronized void close() {
        if (!closed) {
            closed = true;
            block.release();
            ready.values().forEach(ByteBuf::release);
        }
    }

    private ByteBuf encode(int length) {
        byte[] head = ("HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: " + length
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        ByteBuf whole = Unpooled.directBuffer(head.length + length).writeBytes(head);
        return whole.writeBytes(sharedBlock, 0, length);
    }
}
