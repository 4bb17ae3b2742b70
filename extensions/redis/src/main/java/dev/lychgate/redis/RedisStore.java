package dev.lychgate.redis;

import dev.lychgate.limit.BucketStore;
import dev.lychgate.loop.QuietPeriod;
import io.lettuce.core.RedisReadOnlyException;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the buckets of shared rate limits in Redis. The store connects in the background on first use, so that a
 * gateway starts without Redis. Every second, the store registers the gateway and receives the number of gateways.
 * Thread-safe; closed after the last generation that uses it.
 */
final class RedisStore implements BucketStore, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RedisStore.class);

    /**
     * The number of parts into which a cluster is divided. A part is a group of hash slots. Usually, most slots of a
     * part are on one node.
     */
    private static final int PARTS = 64;

    private static final Duration RETRY = Duration.ofMillis(500);
    private static final Duration BEAT = Duration.ofSeconds(1);
    private static final String LASTS = "5000";
    /**
     * The number of recent registrations that are considered. Each of them returned a count of gateways, and the
     * highest count applies. After Redis has lost its data, the first counts are too low, because the other gateways
     * have not registered again.
     */
    private static final int BEATS = 5;

    private static final long CLOSE_SECONDS = 3;

    private final Access access;
    private final String prefix;
    private final String self = UUID.randomUUID().toString();
    private final AtomicReference<@Nullable Connector> connector = new AtomicReference<>();
    private final QuietPeriod failures = new QuietPeriod();
    private final int[] seen = new int[BEATS];
    private int beat;
    private volatile int gateways;
    private volatile @Nullable Link link;
    private volatile boolean closed;

    RedisStore(Access access) {
        this.access = access;
        this.prefix = access.settings().prefix();
        this.gateways = access.settings().gateways();
    }

    /** Returns whether this store has these settings and is open. */
    boolean isOf(Access other) {
        return !closed && access.equals(other);
    }

    @Override
    public void begin() {
        if (connector.get() != null || closed) {
            return;
        }
        try {
            Connector created = new Connector(access);
            if (connector.compareAndSet(null, created)) {
                connect(created);
            } else {
                created.close();
            }
        } catch (RuntimeException | LinkageError e) {
            // The generation is already in force. Its limits apply their setting on-loss, as they do while Redis is
            // unavailable.
            LOG.error(
                    "the client for Redis at {} cannot be created; shared rate limits apply their setting on-loss,"
                            + " and the next generation tries to create the client",
                    access,
                    e);
        }
    }

    private void connect(Connector to) {
        to.connect().whenComplete((connected, failure) -> {
            if (closed) {
                return;
            }
            if (connected != null) {
                link = connected;
                beat(connected, to);
                return;
            }
            String more = failures.tell(System.nanoTime());
            if (more != null) {
                LOG.warn(
                        "Redis at {} cannot be reached: {}; the gateway tries again every {} ms{}",
                        access,
                        reason(failure),
                        RETRY.toMillis(),
                        more);
            }
            later(to, () -> connect(to), RETRY);
        });
    }

    private static String reason(@Nullable Throwable failure) {
        Throwable last = failure;
        while (last != null && last.getCause() != null) {
            last = last.getCause();
        }
        return String.valueOf(last).replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }

    private static void later(Connector on, Runnable task, Duration delay) {
        try {
            on.schedule(task, delay);
        } catch (RejectedExecutionException e) {
            // The store is closed.
        }
    }

    // ---- gateways

    private void beat(Link to, Connector on) {
        if (!closed) {
            run(
                    Script.GATEWAYS,
                    to,
                    prefix + ":gateways",
                    (answer, failure) -> {
                        if (answer != null) {
                            seen[beat++ % BEATS] = answer.get(0).intValue();
                            int most = 1;
                            for (int each : seen) {
                                most = Math.max(most, each);
                            }
                            gateways = most;
                        }
                        later(on, () -> beat(to, on), BEAT);
                    },
                    self,
                    LASTS);
        }
    }

    @Override
    public int gateways() {
        return gateways;
    }

    // ---- buckets

    @Override
    public void ask(Bucket bucket, long owed, long wanted, Outcome outcome) {
        Link to = link;
        if (to == null || closed) {
            outcome.failed();
            return;
        }
        run(
                Script.TAKE,
                to,
                key(bucket.name()),
                (answer, failure) -> {
                    if (answer == null) {
                        outcome.failed();
                    } else {
                        outcome.granted(answer.get(0), answer.get(1), TimeUnit.MICROSECONDS.toNanos(answer.get(2)));
                    }
                },
                Double.toString(bucket.interval() / 1000),
                Long.toString(bucket.burst()),
                Long.toString(owed),
                Long.toString(wanted));
    }

    private String key(String bucket) {
        return prefix + ":rate:" + bucket;
    }

    /** Receives the integers that a script returned, or the reason why the script returned no integers. */
    private interface Answered {
        void on(@Nullable List<Long> answer, @Nullable Throwable failure);
    }

    /** Runs a script on the thread of the connections. */
    private void run(Script script, Link to, String key, Answered answered, String... arguments) {
        Runnable call = () -> {
            try {
                script.run(to.scripts(), key, arguments).whenComplete((answer, failure) -> {
                    Connector of = connector.get();
                    if (isOfReplica(failure) && of != null) {
                        of.reconnect();
                    }
                    settle(answered, failure == null ? answer : null, failure);
                });
            } catch (RuntimeException e) {
                settle(answered, null, e);
            }
        };
        Connector on = connector.get();
        if (on == null) {
            throw new IllegalStateException("a link without a connector");
        }
        try {
            on.thread().execute(call);
        } catch (RejectedExecutionException e) {
            settle(answered, null, e);
        }
    }

    private static void settle(Answered answered, @Nullable List<Long> answer, @Nullable Throwable failure) {
        try {
            answered.on(answer, failure);
        } catch (RuntimeException e) {
            LOG.error("internal error while handling a response from Redis; later responses are still handled", e);
        }
    }

    private static boolean isOfReplica(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof RedisReadOnlyException;
    }

    @Override
    public int parts() {
        return access.settings().cluster() ? PARTS : 1;
    }

    @Override
    public int partOf(String name) {
        return access.settings().cluster() ? SlotHash.getSlot(key(name)) * PARTS / SlotHash.SLOT_COUNT : 0;
    }

    @Override
    public long deadline() {
        return access.settings().timeout().toNanos();
    }

    /** Removes the gateway from the gateways that share the limits, and closes the connections. */
    @Override
    public void close() {
        closed = true;
        Connector open = connector.get();
        if (open == null) {
            return;
        }
        Link to = link;
        CompletableFuture<Void> left = new CompletableFuture<>();
        if (to == null) {
            left.complete(null);
        } else {
            run(Script.GATEWAYS, to, prefix + ":gateways", (answer, failure) -> left.complete(null), self, "0");
        }
        try {
            left.completeOnTimeout(null, 1, TimeUnit.SECONDS)
                    .thenCompose(done -> open.close())
                    .get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(
                    "the connections to Redis at {} could not be closed within {} s; the gateway does not wait longer for"
                            + " them",
                    access,
                    CLOSE_SECONDS,
                    e);
        }
    }
}
