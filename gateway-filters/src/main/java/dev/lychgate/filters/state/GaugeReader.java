package dev.lychgate.filters.state;

import dev.lychgate.filters.state.SharedState.Gauge;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ObjDoubleConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the gauges of filters, each on a separate thread with a time limit. A gauge that blocks has no value while its
 * call lasts, and does not affect other gauges. Used by one thread only.
 */
public final class GaugeReader {
    private static final Logger LOG = LoggerFactory.getLogger(GaugeReader.class);
    private static final Duration LIMIT = Duration.ofMillis(500);
    /**
     * The time limit for reading all gauges. If it expires, the remaining gauges are read the next time. The limit is
     * checked between two gauges, so a gauge that blocks can exceed it.
     */
    private static final Duration ALL = Duration.ofSeconds(2);

    /** The threads of calls that were abandoned and have not ended, by gauge. */
    private final IdentityHashMap<Gauge, Thread> running = new IdentityHashMap<>();
    /** The gauges that have failed. The first failure of a gauge is logged; its later failures are not logged. */
    private final Set<Gauge> failed = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Passes the values of the gauges of the running generation to {@code taker}. Takes at most about two seconds. */
    public void read(SharedState state, ObjDoubleConsumer<Gauge> taker) {
        running.values().removeIf(call -> !call.isAlive());
        Collection<Gauge> gauges = state.gauges();
        failed.retainAll(gauges);
        long begin = System.nanoTime();
        for (Gauge gauge : gauges) {
            if (System.nanoTime() - begin >= ALL.toNanos()) {
                return;
            }
            // Another generation may have taken effect in the meantime.
            if (!running.containsKey(gauge) && state.gauges().contains(gauge)) {
                Double value = value(gauge);
                if (value != null) {
                    taker.accept(gauge, value);
                }
            }
        }
    }

    private @Nullable Double value(Gauge gauge) {
        AtomicReference<@Nullable Object> result = new AtomicReference<>();
        Thread call = new Thread(
                null,
                () -> {
                    try {
                        result.set(gauge.value().getAsDouble());
                    } catch (Throwable e) {
                        result.set(e);
                    }
                },
                "lychgate-filter-gauge",
                0,
                false);
        call.setDaemon(true);
        call.start();
        try {
            call.join(LIMIT.toMillis());
        } catch (InterruptedException e) {
            // The gateway is stopping.
            Thread.currentThread().interrupt();
            call.interrupt();
            return null;
        }
        Object outcome = result.get();
        if (outcome instanceof Double value) {
            return value;
        }
        if (outcome instanceof Throwable failure) {
            if (failed.add(gauge)) {
                LOG.warn(
                        "gauge '{}' of filter file {} failed and has no value until a later call succeeds; further"
                                + " failures are not logged",
                        gauge.name(),
                        gauge.place(),
                        failure);
            }
            return null;
        }
        running.put(gauge, call);
        LOG.warn(
                "gauge '{}' of filter file {} has not returned after {} ms; the call is abandoned, and the gauge has no value"
                        + " until the call ends",
                gauge.name(),
                gauge.place(),
                LIMIT.toMillis());
        call.interrupt();
        return null;
    }
}
