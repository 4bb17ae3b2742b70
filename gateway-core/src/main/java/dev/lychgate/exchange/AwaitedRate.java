package dev.lychgate.exchange;

import dev.lychgate.limit.Question;
import dev.lychgate.loop.Loop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits until the store of a shared rate limit decides, or until the deadline of the store expires. Used
 * on the exchange's event loop, on which the request continues.
 */
final class AwaitedRate implements Question.Listener {
    private final ExchangeParts exchange;
    private final Loop loop;
    private final Consumer<Question> next;
    private final Question question;
    private @Nullable ScheduledFuture<?> deadline;
    private boolean over;

    private AwaitedRate(ExchangeParts exchange, Loop loop, Consumer<Question> next) {
        this.exchange = exchange;
        this.loop = loop;
        this.next = next;
        this.question = exchange.rates().question(this);
    }

    /**
     * Sends the pending question of the exchange's limits to the store.
     *
     * @param next continues the exchange, unless the exchange ends first; may run before this method returns
     */
    static void begin(ExchangeParts exchange, Loop loop, Consumer<Question> next) {
        AwaitedRate awaited = new AwaitedRate(exchange, loop, next);
        exchange.rates().waiting = awaited::cancel;
        exchange.state.pauseRequest();
        long patience = exchange.rates().patience();
        awaited.deadline = loop.eventLoop().schedule(awaited.question::expire, patience, TimeUnit.NANOSECONDS);
        awaited.question.ask();
    }

    @Override
    public void onDecided() {
        loop.onLoop(this::resume);
    }

    private void resume() {
        if (over) {
            return;
        }
        end();
        try {
            next.accept(question);
            exchange.onResumed();
        } catch (Throwable e) {
            exchange.failureHandler().onFault("the request failed after it waited for a rate limit", e);
        }
    }

    private void end() {
        over = true;
        exchange.rates().waiting = null;
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    /** Ends the wait, because the exchange has ended. */
    private void cancel() {
        end();
        question.abandon();
    }
}
