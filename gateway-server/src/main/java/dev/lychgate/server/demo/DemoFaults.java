package dev.lychgate.server.demo;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * Makes the origins of the demo slow or failing, by adding a query to the target of a request. Thread-safe.
 *
 * <ul>
 *   <li>{@code /orders/} fails once in ten requests.
 *   <li>{@code /reports/} is slow.
 *   <li>{@code /payments/} fails from second 10 to second 30 of each minute after the start.
 * </ul>
 */
final class DemoFaults implements UnaryOperator<String> {
    private static final long PERIOD = TimeUnit.SECONDS.toNanos(60);
    private static final long OUTAGE_BEGIN = TimeUnit.SECONDS.toNanos(10);
    private static final long OUTAGE_END = TimeUnit.SECONDS.toNanos(30);
    private static final int ORDERS_PER_FAILURE = 10;

    private final LongSupplier clock;
    private final long start;
    private final AtomicLong orders = new AtomicLong();

    /** @param clock the time in nanoseconds, like {@link System#nanoTime} */
    DemoFaults(LongSupplier clock) {
        this.clock = clock;
        this.start = clock.getAsLong();
    }

    @Override
    public String apply(String target) {
        if (target.startsWith("/orders/")) {
            return orders.incrementAndGet() % ORDERS_PER_FAILURE == 0 ? with(target, "status=500") : target;
        }
        if (target.startsWith("/payments/")) {
            return isOutage() ? with(target, "status=503") : target;
        }
        return target.startsWith("/reports/") ? with(target, "delay=300&dither=1200") : target;
    }

    private boolean isOutage() {
        long time = (clock.getAsLong() - start) % PERIOD;
        return time >= OUTAGE_BEGIN && time < OUTAGE_END;
    }

    private static String with(String target, String parameters) {
        return target + (target.indexOf('?') < 0 ? '?' : '&') + parameters;
    }
}
