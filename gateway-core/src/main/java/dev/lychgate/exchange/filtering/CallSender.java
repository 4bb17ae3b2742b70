package dev.lychgate.exchange.filtering;

import dev.lychgate.filter.CallResponse;
import java.util.concurrent.CompletableFuture;

/** Sends the call-outs of one exchange. Used on its event loop. */
public interface CallSender {
    /**
     * Sends {@code request} and completes {@code answer} with the response. If a filter completes the future first, cancels the
     * call-out.
     */
    void send(CallRequest request, CompletableFuture<CallResponse> answer);

    /** Cancels open call-outs and releases the memory of all. Called when their filter has decided. */
    void end();
}
