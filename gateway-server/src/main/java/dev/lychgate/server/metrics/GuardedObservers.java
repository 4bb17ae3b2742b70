package dev.lychgate.server.metrics;

import dev.lychgate.chain.LogMark;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.call.MirrorEnd;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.loop.Loop;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies several observers, one after the other. A failure of an observer affects neither the exchange nor the other
 * observers. All failures are counted, and the first failure is logged.
 */
public final class GuardedObservers implements ExchangeObserver {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedObservers.class);

    private final ExchangeObserver[] observers;
    private final Consumer<MirrorEnd> mirrors;
    private final LongAdder failures;

    /** @param observers the observers, in the order of notification */
    public GuardedObservers(List<ExchangeObserver> observers) {
        this(observers, copy -> {});
    }

    /**
     * @param observers the observers, in the order of notification
     * @param mirrors is notified when a copied request ends; {@code observers} are not notified of copied requests
     */
    public GuardedObservers(List<ExchangeObserver> observers, Consumer<MirrorEnd> mirrors) {
        this(observers.toArray(ExchangeObserver[]::new), mirrors, new LongAdder());
    }

    private GuardedObservers(ExchangeObserver[] observers, Consumer<MirrorEnd> mirrors, LongAdder failures) {
        this.observers = observers;
        this.mirrors = mirrors;
        this.failures = failures;
    }

    @Override
    public ExchangeObserver onLoop(Loop loop) {
        ExchangeObserver[] ofLoop = new ExchangeObserver[observers.length];
        for (int i = 0; i < observers.length; i++) {
            ofLoop[i] = observers[i].onLoop(loop);
        }
        return new GuardedObservers(ofLoop, mirrors, failures);
    }

    @Override
    public ExchangeTap.@Nullable Source taps() {
        for (ExchangeObserver observer : observers) {
            ExchangeTap.Source taps = observer.taps();
            if (taps != null) {
                return taps;
            }
        }
        return null;
    }

    @Override
    public void onTunnel(Exchange exchange) {
        each(ExchangeObserver::onTunnel, exchange);
    }

    @Override
    public void onClosed(Exchange exchange) {
        each(ExchangeObserver::onClosed, exchange);
    }

    @Override
    public void onMirrored(MirrorEnd copy) {
        try {
            mirrors.accept(copy);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            if (isFirstFailure()) {
                LOG.error(
                        "a mirrored request could not be recorded, so the metrics of mirrors may lack this request;"
                                + " further failures are only counted",
                        e);
            }
        }
    }

    private void each(BiConsumer<ExchangeObserver, Exchange> event, Exchange exchange) {
        for (ExchangeObserver observer : observers) {
            try {
                event.accept(observer, exchange);
            } catch (RuntimeException | LinkageError | AssertionError e) {
                failed(observer, exchange, e);
            }
        }
    }

    private void failed(ExchangeObserver observer, Exchange exchange, Throwable cause) {
        if (isFirstFailure()) {
            LogMark mark = exchange.record().mark();
            mark.on(LOG.atError())
                    .setCause(cause)
                    .log(
                            "{}observer {} failed, so its data is incomplete; further failures are only counted",
                            mark,
                            observer);
        }
    }

    /**
     * Counts a failure.
     *
     * @return whether this is the first failure
     */
    private boolean isFirstFailure() {
        boolean first = failures.sum() == 0;
        failures.increment();
        return first;
    }

    /** Returns how often an observer failed. */
    public long failures() {
        return failures.sum();
    }
}
