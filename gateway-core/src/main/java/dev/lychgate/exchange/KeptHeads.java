package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.HeldMemory;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** The bytes of the memory budget that the heads of an exchange take until its end. On its event loop. */
abstract class KeptHeads {
    /** The memory of a header field beside its bytes. */
    private static final int FIELD = 64;

    private final HeldMemory memory;
    private int headBytes;

    KeptHeads(HeldMemory memory) {
        this.memory = memory;
    }

    /**
     * Counts the head of a request against the memory for unfinished messages: the exchange keeps it until it ends. To be called
     * once for the received head, before anything waits for more of the request, and once for each copy.
     *
     * @return why the request is refused; null if it is not
     */
    public final @Nullable GatewayError keep(RequestHead received) {
        return keep(received.size(), received.headers()) ? null : noMemory();
    }

    static GatewayError noMemory() {
        return GatewayError.local(ErrorKind.OVERLOADED, "the memory budget for unfinished requests is exhausted");
    }

    /** Reserves memory for the head of an origin's response until the exchange ends. @return false if there is none left */
    final boolean keep(ResponseHead received) {
        return keep(received.size(), received.headers());
    }

    private boolean keep(int size, HttpHeaders headers) {
        int bytes = size + FIELD * headers.size();
        boolean kept = memory.takeHead(bytes);
        headBytes += kept ? bytes : 0;
        return kept;
    }

    /** Returns the bytes of the heads to the memory budget. */
    final void giveHeads() {
        memory.giveHead(headBytes);
        headBytes = 0;
    }
}
