package dev.lychgate.dns;

import dev.lychgate.config.DnsConfig;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolves one name repeatedly. After a success, the next lookup starts when the time to live of the result ends. After
 * a failure, the next lookup starts after an exponential backoff. The last result stays in use until a lookup succeeds.
 * All watches run on one thread. Only {@link #status()} and {@link #first()} may be called on other threads.
 */
final class NameWatch<T extends List<?>> {
    private static final Logger LOG = LoggerFactory.getLogger(NameWatch.class);

    /**
     * The delay after the first failure, in milliseconds. Each additional failure doubles the delay, up to {@link
     * #LONGEST_RETRY}.
     */
    static final long FIRST_RETRY = 500;

    static final long LONGEST_RETRY = 30_000;

    /** The time for which a result without a time to live is used, in seconds. */
    private static final long UNSAID = 30;

    /** Runs a task after a delay in milliseconds, on the thread that all watches share. */
    interface Timer {
        void after(long millis, Runnable task);
    }

    private final String upstream;
    private final String name;
    private final DnsConfig config;
    private final Lookup<T> lookup;
    private final Timer timer;
    private final Consumer<T> changed;
    private final CompletableFuture<Void> first = new CompletableFuture<>();
    private @Nullable T known;
    private int failures;
    private boolean stopped;
    private volatile NameStatus status;

    /**
     * Creates a watch, which begins with {@link #look}.
     *
     * @param changed receives each result that differs from the previous result
     */
    NameWatch(String upstream, String name, DnsConfig config, Lookup<T> lookup, Timer timer, Consumer<T> changed) {
        this.upstream = upstream;
        this.name = name;
        this.config = config;
        this.lookup = lookup;
        this.timer = timer;
        this.changed = changed;
        this.status = new NameStatus(upstream, name, 0, 0, null);
    }

    void look() {
        if (stopped) {
            return;
        }
        lookup.ask()
                .whenComplete((answer, failure) -> timer.after(0, () -> {
                    if (!stopped) {
                        if (failure == null) {
                            answered(answer);
                        } else {
                            failed(failure);
                        }
                    }
                    first.complete(null);
                }));
    }

    /** Returns a future that completes after the first lookup, even if the lookup fails. */
    CompletableFuture<Void> first() {
        return first;
    }

    NameStatus status() {
        return status;
    }

    void stop() {
        stopped = true;
        lookup.close();
        first.complete(null);
    }

    private void answered(Lookup.Answer<T> answer) {
        if (failures > 0) {
            LOG.info("upstream {}: {} can be resolved again", upstream, name);
        }
        failures = 0;
        status = new NameStatus(upstream, name, status.answered() + 1, status.failed(), null);
        timer.after(good(answer.ttl()), this::look);
        T value = answer.value();
        if (!value.equals(known)) {
            known = value;
            LOG.info("upstream {}: {} resolves to {}", upstream, name, NettyLookup.excerpt(value));
            changed.accept(value);
        }
    }

    private void failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String fault = fault(cause);
        if (failures++ == 0) {
            LOG.warn(
                    "upstream {}: {} cannot be resolved: {}; {}",
                    upstream,
                    name,
                    fault,
                    known == null
                            ? "no result is known yet"
                            : "the last result stays in use: " + NettyLookup.excerpt(known));
        }
        status = new NameStatus(upstream, name, status.answered(), status.failed() + 1, fault);
        long delay = Math.min(LONGEST_RETRY, FIRST_RETRY << Math.min(10, failures - 1));
        timer.after(spread(delay), this::look);
    }

    /**
     * Describes the failure with its cause. The message of the resolver alone does not distinguish unknown names from
     * servers that do not respond.
     */
    private static String fault(Throwable failure) {
        String what = String.valueOf(failure.getMessage()).strip();
        Throwable cause = failure.getCause();
        return cause == null || cause.getMessage() == null ? what : what + ": " + cause.getMessage();
    }

    /** Returns the time for which a result is used, in milliseconds. */
    private long good(long ttl) {
        long said = TimeUnit.SECONDS.toMillis(ttl == SeenTtl.NONE ? UNSAID : ttl);
        return spread(
                Math.max(config.minTtl().toMillis(), Math.min(config.maxTtl().toMillis(), said)));
    }

    /**
     * Subtracts a random time from the delay {@code millis}, so that the lookups of many names and gateways do not
     * coincide.
     */
    private static long spread(long millis) {
        return millis - ThreadLocalRandom.current().nextLong(millis / 10 + 1);
    }
}
