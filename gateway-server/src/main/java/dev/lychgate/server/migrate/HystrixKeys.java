package dev.lychgate.server.migrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Derives the breaker, the bulkhead and a timeout of an upstream from the keys {@code hystrix.command.*} and {@code
 * hystrix.threadpool.*}. The key of the command and of the pool is the name of the service, or {@code default} for all
 * services.
 */
final class HystrixKeys {
    private static final String BREAKER = "circuitBreaker.";
    private static final String THREADS = "THREAD";

    private final LegacyProperties properties;
    private final List<String> notes;

    HystrixKeys(LegacyProperties properties, List<String> notes) {
        this.properties = properties;
        this.notes = notes;
    }

    /** Returns the breaker and the bulkhead of the upstream of a service, as parts of its mapping; empty for none. */
    List<String> guards(String service) {
        List<String> guards = new ArrayList<>();
        String breaker = breaker(service);
        if (breaker != null) {
            guards.add("breaker: " + breaker);
        }
        Long concurrent = concurrent(service);
        if (concurrent != null) {
            guards.add("bulkhead: { concurrent: " + concurrent + " }");
        }
        return guards;
    }

    /** Returns the time limit for the arrival of the response head, in milliseconds; null if no key sets a limit. */
    @Nullable
    Long responseHead(String service) {
        boolean enabled = isSet("command", service, "execution.timeout.enabled", true);
        Long millis = number("command", service, "execution.isolation.thread.timeoutInMilliseconds", 1, Long.MAX_VALUE);
        return enabled ? millis : null;
    }

    private @Nullable String breaker(String service) {
        String enabled = value("command", service, BREAKER + "enabled");
        List<String> keys = new ArrayList<>();
        add(keys, "error-share", number("command", service, BREAKER + "errorThresholdPercentage", 1, 100), "%");
        add(
                keys,
                "window",
                number("command", service, "metrics.rollingStats.timeInMilliseconds", 1_000, 600_000),
                "ms");
        add(keys, "minimum", number("command", service, BREAKER + "requestVolumeThreshold", 1, 1_000_000), "");
        add(keys, "open", number("command", service, BREAKER + "sleepWindowInMilliseconds", 100, 3_600_000), "ms");
        boolean wanted = enabled == null ? !keys.isEmpty() : Boolean.parseBoolean(enabled);
        if (!wanted) {
            return null;
        }
        return keys.isEmpty() ? "{}" : "{ " + String.join(", ", keys) + " }";
    }

    private static void add(List<String> keys, String key, @Nullable Long value, String unit) {
        if (value != null) {
            keys.add(key + ": " + value + unit);
        }
    }

    /**
     * Returns the maximum number of concurrent requests for the isolation strategy in use. Hystrix ignores the maximum
     * that is set for the other strategy.
     */
    private @Nullable Long concurrent(String service) {
        String strategy = value("command", service, "execution.isolation.strategy");
        if (strategy == null) {
            strategy = properties.take("zuul.ribbon-isolation-strategy");
        }
        boolean threads = strategy != null && strategy.toUpperCase(Locale.ROOT).equals(THREADS);
        Long semaphore = threads
                ? null
                : number("command", service, "execution.isolation.semaphore.maxConcurrentRequests", 1, 1_000_000);
        return semaphore == null && (threads || strategy == null) ? poolSize(service) : semaphore;
    }

    private @Nullable Long poolSize(String service) {
        Long core = number("threadpool", service, "coreSize", 1, 1_000_000);
        if (!isSet("threadpool", service, "allowMaximumSizeToDivergeFromCoreSize", false)) {
            return core;
        }
        Long maximum = number("threadpool", service, "maximumSize", 1, 1_000_000);
        return maximum == null || (core != null && core > maximum) ? core : maximum;
    }

    private boolean isSet(String kind, String service, String name, boolean otherwise) {
        String value = value(kind, service, name);
        return value == null ? otherwise : Boolean.parseBoolean(value);
    }

    private @Nullable Long number(String kind, String service, String name, long least, long most) {
        LegacyProperties.Property property = property(kind, service, name);
        if (property == null) {
            return null;
        }
        try {
            long number = Long.parseLong(property.value(), 10);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        String note = property + ": not a number from " + least + (most == Long.MAX_VALUE ? "" : " to " + most);
        if (!notes.contains(note)) {
            notes.add(note);
        }
        return null;
    }

    private @Nullable String value(String kind, String service, String name) {
        LegacyProperties.Property property = property(kind, service, name);
        return property == null ? null : property.value();
    }

    /**
     * Returns the property of the service, or else the property for all services; null if neither exists. Marks both
     * properties as understood.
     */
    private LegacyProperties.@Nullable Property property(String kind, String service, String name) {
        LegacyProperties.Property general = properties.property("hystrix." + kind + ".default." + name);
        LegacyProperties.Property own = properties.property("hystrix." + kind + "." + service + "." + name);
        return own == null ? general : own;
    }
}
