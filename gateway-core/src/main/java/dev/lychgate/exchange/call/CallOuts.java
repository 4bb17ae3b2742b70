package dev.lychgate.exchange.call;

import dev.lychgate.exchange.attempt.LoopUpstreams;
import dev.lychgate.exchange.filtering.CallRequest;
import dev.lychgate.exchange.filtering.CallSender;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.filter.CallResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The call-outs of one exchange, on its event loop. They are bounded, so that one request can't cause any number of others. */
public final class CallOuts implements CallSender {
    /** Below the size of a connection pool, which other exchanges need, too. */
    static final int AT_ONCE = 16;

    static final int IN_ALL = 64;

    private final ExchangeState exchange;
    private final LoopUpstreams upstreams;
    private final Executor completing;
    /** Those of the filter that runs. */
    private final List<CallOut> ofFilter = new ArrayList<>(2);

    private int sent;

    /** @param completing runs continuations of the filter that called */
    public CallOuts(ExchangeState exchange, LoopUpstreams upstreams, Executor completing) {
        this.exchange = exchange;
        this.upstreams = upstreams;
        this.completing = completing;
    }

    @Override
    public void send(CallRequest request, CompletableFuture<CallResponse> answer) {
        if (sent == IN_ALL || ofFilter.stream().filter(CallOut::isOpen).count() == AT_ONCE) {
            completing.execute(() -> answer.completeExceptionally(new IllegalStateException(
                    "an exchange has at most " + AT_ONCE + " call-outs at once, and " + IN_ALL + " in all")));
            return;
        }
        sent++;
        CallOut call = new CallOut(exchange, upstreams, request, answer, completing);
        ofFilter.add(call);
        call.begin();
        if (call.isOpen()) {
            answer.whenComplete((response, failure) -> cancel(call));
        }
    }

    /** The answer is complete: by the call-out itself, or by a filter on any thread that does not wait for it. */
    private void cancel(CallOut call) {
        if (upstreams.loop().inLoop()) {
            call.cancel();
        } else {
            upstreams.loop().eventLoop().execute(call::cancel);
        }
    }

    @Override
    public void end() {
        // A continuation of one that is cancelled may send another, which comes too late.
        List<CallOut> all = List.copyOf(ofFilter);
        ofFilter.clear();
        all.forEach(CallOut::end);
    }
}
