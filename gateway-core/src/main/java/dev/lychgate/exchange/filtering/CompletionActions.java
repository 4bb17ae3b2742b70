package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.filter.Completion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Actions of filters after the end of an exchange, on its event loop. */
final class CompletionActions {
    private record Action(FilterSlot of, Consumer<? super Completion> work) {}

    private final List<Action> all = new ArrayList<>(1);

    void add(FilterSlot of, Consumer<? super Completion> work) {
        all.add(new Action(of, Objects.requireNonNull(work, "an action is null")));
    }

    /** Runs the actions once the exchange has ended and its record is complete. */
    void run(FilterLoop loop, ExchangeState state, FilterSubject exchange) {
        GatewayError error = state.error();
        Completion completion = new Completion(
                state.status(),
                error == null ? null : error.kind(),
                state.requestBytes(),
                state.responseBytes(),
                Duration.ofNanos(loop.nanoTime() - state.timeline().began()));
        for (Action action : all.toArray(new Action[0])) {
            loop.guard().enter(action.of, exchange, loop.nanoTime(), false);
            try {
                action.work.accept(completion);
            } catch (Throwable e) {
                FilterFailures.of(loop, exchange, action.of, "failed after the exchange", e);
            } finally {
                loop.guard().leave();
            }
        }
    }
}
