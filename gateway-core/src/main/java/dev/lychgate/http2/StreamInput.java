package dev.lychgate.http2;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** How far the receiving half of a stream has come, and what of it waits because nobody takes it. */
final class StreamInput {
    private @Nullable ByteQueue held;
    /** How much the peer may still send. */
    int window;
    /** How much has been taken that the peer has not been told of. */
    int toReturn;
    /** Nobody takes anything for now. */
    boolean paused;
    /** The peer has said all. */
    boolean done;
    /** So has whoever hears of this stream been told. */
    boolean endTold;

    HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;

    StreamInput(int window) {
        this.window = window;
    }

    boolean isHolding() {
        return held != null && !held.isEmpty();
    }

    /** What waits, to be added to. */
    ByteQueue held(ByteBufAllocator allocator) {
        ByteQueue h = held;
        if (h == null) {
            h = new ByteQueue(allocator);
            held = h;
        }
        return h;
    }

    /** Lets go of what waits. @return how many bytes that were */
    int drop() {
        return held == null ? 0 : held.clear();
    }
}
