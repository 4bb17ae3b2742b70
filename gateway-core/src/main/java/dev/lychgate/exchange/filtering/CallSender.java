package dev.lychgate.exchange.filtering;

import dev.lychgate.filter.CallResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Sends the call-outs of one exchange. Used on its event loop. */
public interface CallSender {
    /**
     * The time after which a call-out fails that may not be sent. If it failed at once, a filter that repeats failed call-outs
     * without a limit would never return, and would hold the event loop.
     */
    Duration REFUSAL_DELAY = Duration.ofMillis(10);

    /** Sends {@code request} and completes {@code response}. If a filter completes {@code response} first, cancels the call-out. */
    void send(CallRequest request, CompletableFuture<CallResponse> response);

    /** Cancels open call-outs and releases the memory of all. Called when their filter has decided. */
    void end();
}
