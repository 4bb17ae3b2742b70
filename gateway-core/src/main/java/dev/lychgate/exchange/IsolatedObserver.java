package dev.lychgate.exchange;

import dev.lychgate.exchange.call.MirrorEnd;
import dev.lychgate.exchange.state.ExchangeState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls an observer of exchanges. Exceptions of the observer are logged. They affect neither the exchange nor the
 * connection.
 */
final class IsolatedObserver {
    private static final Logger LOG = LoggerFactory.getLogger(IsolatedObserver.class);

    private final ExchangeObserver observer;

    IsolatedObserver(ExchangeObserver observer) {
        this.observer = observer;
    }

    void onTunnel(Exchange exchange, ExchangeState state) {
        try {
            observer.onTunnel(exchange);
        } catch (RuntimeException e) {
            log(state, e);
        }
    }

    void onClosed(Exchange exchange, ExchangeState state) {
        try {
            observer.onClosed(exchange);
        } catch (RuntimeException e) {
            log(state, e);
        }
    }

    private static void log(ExchangeState state, RuntimeException e) {
        state.mark()
                .on(LOG.atError())
                .setCause(e)
                .log(
                        "{}an observer of exchanges threw an exception; logs or metrics may lack this exchange",
                        state.mark());
    }

    /** Reports the end of a copy of a request. A copy may end during an event of another exchange. */
    void onMirrored(MirrorEnd copy) {
        try {
            observer.onMirrored(copy);
        } catch (RuntimeException e) {
            LOG.error("an observer of exchanges threw an exception; logs or metrics may lack one mirrored request", e);
        }
    }
}
