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
 * Looks one name up, again and again: when its answer has been good for as long as it said, or, after a failure, soon, then
 * more and more seldom. A failure takes nothing away: what was answered last stays. On the watches' thread, but for
 * {@link #status()} and {@link #first()}.
 */
final class NameWatch<T extends List<?>> {
    private static final Logger LOG = LoggerFactory.getLogger(NameWatch.class);

    /** After the first failure; it doubles up to {@link #LONGEST_RETRY}, in milliseconds. */
    static final long FIRST_RETRY = 500;

    static final long LONGEST_RETRY = 30_000;

    /** Of an answer that does not say how long it is good, in seconds. */
    private static final long UNSAID = 30;

    /** Runs a task on the watches' thread, after so many milliseconds. */
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

    /** @param changed hears of each answer that is another than the one before */
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

    /** Completes when the first lookup is over, whatever came of it. */
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
            LOG.info("{}: {} has an answer again", upstream, name);
        }
        failures = 0;
        status = new NameStatus(upstream, name, status.answered() + 1, status.failed(), null);
        timer.after(good(answer.ttl()), this::look);
        T value = answer.value();
        if (!value.equals(known)) {
            known = value;
            LOG.info("{}: {} is {}", upstream, name, NettyLookup.excerpt(value));
            changed.accept(value);
        }
    }

    private void failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String fault = fault(cause);
        if (failures++ == 0) {
            LOG.warn(
                    "{}: {} can't be looked up: {}; {}",
                    upstream,
                    name,
                    fault,
                    known == null
                            ? "there is no answer yet"
                            : "the last answer goes on: " + NettyLookup.excerpt(known));
        }
        status = new NameStatus(upstream, name, status.answered(), status.failed() + 1, fault);
        long delay = Math.min(LONGEST_RETRY, FIRST_RETRY << Math.min(10, failures - 1));
        timer.after(spread(delay), this::look);
    }

    /** What failed and why: the resolver's own message does not distinguish a name that does not exist from a server that is silent. */
    private static String fault(Throwable failure) {
        String what = String.valueOf(failure.getMessage()).strip();
        Throwable cause = failure.getCause();
        return cause == null || cause.getMessage() == null ? what : what + ": " + cause.getMessage();
    }

    /** How long an answer is good, in milliseconds. */
    private long good(long ttl) {
        long said = TimeUnit.SECONDS.toMillis(ttl == SeenTtl.NONE ? UNSAID : ttl);
        return spread(
                Math.max(config.minTtl().toMillis(), Math.min(config.maxTtl().toMillis(), said)));
    }

    /** A little less, by chance: many names, and many gateways, should not all ask at once. */
    private static long spread(long millis) {
        return millis - ThreadLocalRandom.current().nextLong(millis / 10 + 1);
    }
}
