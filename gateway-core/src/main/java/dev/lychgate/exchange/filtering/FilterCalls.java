package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.chain.LoopGuard;
import dev.lychgate.filter.CallResponse;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The call-outs of the filters of one exchange. Used on the exchange's event loop. */
final class FilterCalls {
    private final FilterLoop loop;
    private final FilterHost host;
    private final LogMark.Source exchange;
    /** Null before the first call-out. */
    private @Nullable CallSender sender;
    /** The filter that sent the latest call-out. */
    private @Nullable FilterSlot caller;

    FilterCalls(FilterLoop loop, FilterHost host, LogMark.Source exchange) {
        this.loop = loop;
        this.host = host;
        this.exchange = exchange;
    }

    /**
     * Sends a call-out of {@code filter}.
     *
     * @param pending returns whether the outcome of the filter is still missing
     */
    void send(FilterSlot filter, BooleanSupplier pending, CallRequest request, CallFuture<CallResponse> answer) {
        if (answer.isDone() || !pending.getAsBoolean()) {
            loop.loop()
                    .eventLoop()
                    .schedule(() -> answer.cancel(false), CallSender.REFUSAL_DELAY.toMillis(), TimeUnit.MILLISECONDS);
            return;
        }
        caller = filter;
        CallSender existing = sender;
        if (existing == null) {
            existing = host.newCalls(this::resume);
            sender = existing;
        }
        try {
            existing.send(request, answer);
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }

    /** Runs a continuation of the pending filter. The watchdog monitors the continuation like a call to the filter. */
    private void resume(Runnable continuation) {
        LoopGuard guard = loop.guard();
        FilterSlot filter = caller;
        if (filter == null || guard.slot() == filter) {
            continuation.run();
            return;
        }
        guard.enter(filter, exchange, loop.nanoTime(), false);
        try {
            continuation.run();
        } finally {
            guard.leave();
        }
    }

    /** Ends the call-outs of a filter that has returned its outcome or was abandoned. */
    void end() {
        if (sender != null) {
            sender.end();
        }
    }
}
