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

/** The actions that filters have registered for the end of an exchange. They run on the exchange's event loop. */
final class CompletionActions {
    private record Action(FilterSlot of, Consumer<? super Completion> work) {}

    private final List<Action> all = new ArrayList<>(1);

    void add(FilterSlot of, Consumer<? super Completion> work) {
        all.add(new Action(of, Objects.requireNonNull(work, "the action is null")));
    }

    /** Runs the actions. Called when the exchange has ended and its record is complete. */
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
                FilterFailures.of(loop, exchange, action.of, "failed in its onCompleted action", e);
            } finally {
                loop.guard().leave();
            }
        }
    }
}
