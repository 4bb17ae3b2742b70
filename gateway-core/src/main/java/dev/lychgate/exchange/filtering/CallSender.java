package dev.lychgate.exchange.filtering;

import dev.lychgate.filter.CallResponse;
import java.time.Duration;

/** Sends the call-outs of one exchange. Used on the exchange's event loop. */
public interface CallSender {
    /**
     * The delay with which a refused call-out fails. Without this delay, a filter that repeats failed call-outs without
     * a limit would never return and would block the event loop.
     */
    Duration REFUSAL_DELAY = Duration.ofMillis(10);

    /**
     * Sends {@code request} and completes {@code response}. If a filter completes {@code response} first, the call-out
     * is cancelled.
     */
    void send(CallRequest request, CallFuture<CallResponse> response);

    /**
     * Cancels open call-outs and releases the memory of all call-outs. Called when the filter that sent the call-outs
     * has returned its outcome or was abandoned.
     */
    void end();
}
