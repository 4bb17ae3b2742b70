package dev.lychgate.gateway;

import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.Phase;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps what became of every exchange, in the order in which they ended. */
final class Outcomes implements ExchangeObserver {
    private final BlockingQueue<Outcome> ended = new LinkedBlockingQueue<>();

    @Override
    public void onClosed(Exchange exchange) {
        if (exchange.phase() != Phase.CLOSED) {
            throw new IllegalStateException("told in phase " + exchange.phase());
        }
        ended.add(Outcome.of(exchange));
    }

    Outcome next() throws InterruptedException {
        Outcome next = ended.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no exchange ended within 10 s");
        }
        return next;
    }

    boolean hasMore() {
        return !ended.isEmpty();
    }
}
