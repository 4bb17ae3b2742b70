package dev.lychgate.http2;

import dev.lychgate.loop.HeldMemory;
import dev.lychgate.loop.Holding;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** Receiving half of a stream: its window, its progress, and the bytes that are buffered while reading is paused. */
final class StreamInput extends ReceiveWindow {
    /** Progress of the peer's message. */
    private enum State {
        OPEN,
        /** The peer has ended the stream; the end has not been reported yet. */
        ENDED,
        /** The end of the stream has been reported. */
        REPORTED
    }

    private @Nullable ByteQueue held;
    /** Counts the held bytes against the memory budget of the process. */
    private @Nullable Holding account;

    private State state = State.OPEN;
    private boolean paused;
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;

    StreamInput(int size, int initial) {
        super(size, initial);
    }

    void end() {
        if (state == State.OPEN) {
            state = State.ENDED;
        }
    }

    /** Records the end of the stream, with the trailers. */
    void end(HttpHeaders last) {
        end();
        trailers = last;
    }

    boolean isEnded() {
        return state != State.OPEN;
    }

    /** Returns whether the caller must report the end of the stream now. Returns true only once. */
    boolean reportsEnd() {
        if (state != State.ENDED || paused || isHolding()) {
            return false;
        }
        state = State.REPORTED;
        return true;
    }

    boolean isReported() {
        return state == State.REPORTED;
    }

    HttpHeaders trailers() {
        return trailers;
    }

    void pause(boolean value) {
        paused = value;
    }

    boolean isPaused() {
        return paused;
    }

    boolean isHolding() {
        return held != null && !held.isEmpty();
    }

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

    /**
     * Discards the held bytes.
     *
     * @return the number of discarded bytes
     */
    int drop() {
        int dropped = held == null ? 0 : held.clear();
        if (account != null) {
            account.release();
        }
        return dropped;
    }
}
