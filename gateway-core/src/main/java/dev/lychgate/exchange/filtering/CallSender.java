package dev.lychgate.exchange.filtering;

import dev.lychgate.filter.CallResponse;
import java.util.concurrent.CompletableFuture;

/** Sends the call-outs of one exchange. Used on its event loop. */
public interface CallSender {
    /** Sends {@code request} and completes {@code answer} on the event loop. If {@code answer} completes before, cancels the call-out. */
    void send(CallRequest request, CompletableFuture<CallResponse> answer);

    /** The filter that sent them has decided: cancels call-outs under way, and releases the memory of all. */
    void end();
}
