package dev.lychgate.exchange.call;

import dev.lychgate.exchange.attempt.LoopUpstreams;
import dev.lychgate.exchange.filtering.CallFuture;
import dev.lychgate.exchange.filtering.CallRequest;
import dev.lychgate.exchange.filtering.CallSender;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.filter.CallResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Sends the call-outs of one exchange and limits their number. Used on the exchange's event loop. */
public final class CallOuts implements CallSender {
    /**
     * Maximum number of concurrent call-outs. The number is lower than the size of a connection pool, so that one
     * exchange cannot occupy all connections of a pool.
     */
    static final int AT_ONCE = 16;

    static final int IN_ALL = 64;

    private final ExchangeState exchange;
    private final LoopUpstreams upstreams;
    private final Executor completing;
    /** The call-outs that the running filter has sent. */
    private final List<CallOut> ofFilter = new ArrayList<>(2);

    private int sent;

    /**
     * Creates the sender of one exchange.
     *
     * @param completing runs the continuations of the filter that sent a call-out
     */
    public CallOuts(ExchangeState exchange, LoopUpstreams upstreams, Executor completing) {
        this.exchange = exchange;
        this.upstreams = upstreams;
        this.completing = completing;
    }

    @Override
    public void send(CallRequest request, CallFuture<CallResponse> answer) {
        if (sent == IN_ALL || open() == AT_ONCE) {
            IllegalStateException refusal = new IllegalStateException("the exchange has too many call-outs (maximum: "
                    + AT_ONCE + " at the same time, " + IN_ALL + " in total)");
            upstreams
                    .loop()
                    .eventLoop()
                    .schedule(
                            () -> completing.execute(() -> answer.completeExceptionally(refusal)),
                            REFUSAL_DELAY.toMillis(),
                            TimeUnit.MILLISECONDS);
            return;
        }
        sent++;
        CallOut call = new CallOut(exchange, upstreams, request, answer, completing);
        ofFilter.add(call);
        call.begin();
        if (call.isOpen()) {
            answer.whenDone(() -> cancel(call));
        }
    }

    private int open() {
        int open = 0;
        for (CallOut call : ofFilter) {
            open += call.isOpen() ? 1 : 0;
        }
        return open;
    }

    /** Cancels a call-out, because its future is complete. Has no effect if the call-out has ended. Thread-safe. */
    private void cancel(CallOut call) {
        upstreams.loop().onLoop(call::cancel);
    }

    @Override
    public void end() {
        // This loop iterates over a copy, because the continuation of a cancelled call-out may try to send another
        // call-out.
        List<CallOut> all = List.copyOf(ofFilter);
        ofFilter.clear();
        all.forEach(CallOut::end);
    }
}
