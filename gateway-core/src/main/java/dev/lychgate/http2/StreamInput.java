package dev.lychgate.http2;

import dev.lychgate.loop.HeldMemory;
import dev.lychgate.loop.Holding;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** How far the receiving half of a stream has come, and what of it waits because nobody takes it. */
final class StreamInput {
    private @Nullable ByteQueue held;
    /** What is held, in the eyes of the process's budget. */
    private @Nullable Holding account;
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

    int heldBytes() {
        return held == null ? 0 : held.bytes();
    }

    Holding account(HeldMemory memory, Holding.Owner owner) {
        Holding a = account;
        if (a == null) {
            a = memory.holding(owner);
            account = a;
        }
        return a;
    }

    /** Nothing is held any more. */
    void release() {
        if (account != null) {
            account.release();
        }
    }

    /** Lets go of what waits. @return how many bytes that were */
    int drop() {
        return held == null ? 0 : held.clear();
    }
}
