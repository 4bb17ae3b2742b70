package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.LoopGuard;
import dev.lychgate.filter.CallResponse;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The call-outs that the filters of one exchange send, from any thread: they start on its event loop. */
final class FilterCalls {
    private final FilterContext context;
    private final FilterLoop loop;
    private final FilterHost host;
    /** Used on the event loop; null before the first call-out. */
    private @Nullable CallSender sender;

    FilterCalls(FilterContext context, FilterLoop loop, FilterHost host) {
        this.context = context;
        this.loop = loop;
        this.host = host;
    }

    /** Sends a call-out of the filter that has {@code view}. */
    CompletableFuture<CallResponse> send(ExchangeView view, CallRequest request) {
        CompletableFuture<CallResponse> answer = new CompletableFuture<>();
        if (loop.loop().inLoop()) {
            begin(view, request, answer);
        } else {
            loop.loop().eventLoop().execute(() -> begin(view, request, answer));
        }
        return answer;
    }

    private void begin(ExchangeView view, CallRequest request, CompletableFuture<CallResponse> answer) {
        if (!view.isValid()) {
            answer.cancel(false);
            return;
        }
        CallSender existing = sender;
        if (existing == null) {
            existing = host.newCalls(this::resume);
            sender = existing;
        }
        existing.send(request, answer);
    }

    /** Runs a continuation of the pending filter. The watchdog watches it like a call of the filter. */
    private void resume(Runnable continuation) {
        LoopGuard guard = loop.guard();
        if (guard.slot() != null) {
            continuation.run();
            return;
        }
        guard.enter(context.slot(), context, loop.nanoTime(), false);
        try {
            continuation.run();
        } finally {
            guard.leave();
        }
    }

    /** The filter has decided or is given up, and its call-outs with it. On the event loop. */
    void end() {
        if (sender != null) {
            sender.end();
        }
    }
}
