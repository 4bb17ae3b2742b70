package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.HeldMemory;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Counts the heads of an exchange against the memory budget until the exchange ends. Used on the exchange's event loop.
 */
abstract class KeptHeads {
    /** The estimated memory of a header field, in bytes, in addition to the bytes of its name and value. */
    private static final int FIELD = 64;

    private final HeldMemory memory;
    private int headBytes;

    KeptHeads(HeldMemory memory) {
        this.memory = memory;
    }

    /**
     * Counts a request head against the memory budget until the exchange ends. Must be called once for the received
     * head, before any wait for the rest of the request, and once for each copy of the head.
     *
     * @return null if the head was counted; an error if the budget has no room
     */
    public final @Nullable GatewayError keep(RequestHead received) {
        return keep(received.size(), received.headers()) ? null : noMemory();
    }

    static GatewayError noMemory() {
        return GatewayError.local(ErrorKind.OVERLOADED, "the memory budget for unfinished requests is exhausted");
    }

    /**
     * Counts an origin's response head against the memory budget until the exchange ends.
     *
     * @return false if the budget has no room
     */
    final boolean keep(ResponseHead received) {
        return keep(received.size(), received.headers());
    }

    private boolean keep(int size, HttpHeaders headers) {
        int bytes = size + FIELD * headers.size();
        boolean kept = memory.takeHead(bytes);
        headBytes += kept ? bytes : 0;
        return kept;
    }

    /** Releases the bytes of the heads in the memory budget. */
    final void giveHeads() {
        memory.giveHead(headBytes);
        headBytes = 0;
    }
}
