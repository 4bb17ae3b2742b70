package dev.lychgate.postgresql;

import dev.lychgate.config.ConfigException;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetStore.HeadListener;
import dev.lychgate.fleet.FleetStore.StoredHead;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a store, which has one connection. It runs operations one after the other. While a watch is open, the
 * thread waits for notifications between operations, and reads the head of the fleet every few seconds. If the
 * notification of a new head did not arrive, the read finds the head. The read also shows whether the connection still
 * works.
 */
final class DatabaseThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseThread.class);
    /** The interval at which a watch reads the head. */
    private static final Duration READ = Duration.ofSeconds(3);
    /** The time between the failure of a watch and its next attempt to connect. */
    private static final Duration RETRY = Duration.ofMillis(500);
    /** The longest wait for notifications. An operation that arrives during such a wait begins after the wait. */
    private static final Duration NOTIFICATIONS = Duration.ofMillis(100);
    /**
     * The time for which the thread, after an operation, waits for another operation. If none arrives in this time, the
     * thread waits for notifications.
     */
    private static final Duration NEXT = Duration.ofMillis(5);

    private static final Duration IDLE = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration CLOSE_WITHIN = Duration.ofMillis(500);

    private final PostgresqlAccess access;
    private final String channel;
    private final HeadTable heads;
    private final String space;
    private final BlockingQueue<Runnable> operations = new LinkedBlockingQueue<>();
    private final List<Watch> watches = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::loop, "lychgate-fleet-postgresql");
    /** The open connection; null while there is no connection. Only the thread of the store writes this field. */
    private volatile @Nullable DatabaseLink link;

    private volatile boolean closed;
    /** The time of the next attempt to read the head. Only the thread of the store uses this field. */
    private long nextRead = System.nanoTime();
    /**
     * The number of connections that the watch has lost since its last success. Only the thread of the store uses this
     * field.
     */
    private int lost;

    /** An operation. */
    interface Work<T> {
        /**
         * @param repeated whether an earlier attempt may have succeeded although its response was lost
         */
        T run(Connection connection, boolean repeated) throws SQLException, FleetException;
    }

    private record Watch(HeadListener listener) {}

    private DatabaseThread(PostgresqlAccess access, String channel, HeadTable heads, String space) {
        this.access = access;
        this.channel = channel;
        this.heads = heads;
        this.space = space;
    }

    /** Starts the thread, which connects when the first operation or watch needs the connection. */
    static DatabaseThread start(PostgresqlAccess access, String channel, HeadTable heads, String space) {
        DatabaseThread started = new DatabaseThread(access, channel, heads, space);
        started.thread.setDaemon(true);
        started.thread.start();
        return started;
    }

    /**
     * Runs an operation after all earlier operations.
     *
     * @param limit the longest wait for a response of the server
     */
    <T> CompletableFuture<T> run(Duration limit, Work<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        if (!enqueue(() -> attempt(limit, work, result))) {
            result.completeExceptionally(new FleetException(FleetException.Kind.UNAVAILABLE, "the store is closed"));
        }
        return result;
    }

    /**
     * Adds an operation, unless the store is closed. After the close, the thread may have ended, and would never run
     * the operation.
     */
    private boolean enqueue(Runnable operation) {
        operations.add(operation);
        // The thread ends only after the store was closed. If the store is closed, the thread may not run the operation
        // any more, so the operation is removed if it is still queued.
        return !closed || !operations.remove(operation);
    }

    /** Reports heads to a listener until the returned object is closed. */
    AutoCloseable watch(HeadListener listener) {
        Watch watch = new Watch(listener);
        enqueue(() -> {
            watches.add(watch);
            nextRead = System.nanoTime();
        });
        // The removal is queued behind the addition, which may not have run yet.
        return () -> enqueueRemoval(watch);
    }

    private void enqueueRemoval(Watch watch) {
        watches.remove(watch);
        enqueue(() -> watches.remove(watch));
    }

    private void loop() {
        boolean ran = false;
        while (true) {
            Runnable operation = next(ran);
            ran = operation != null;
            if (operation != null) {
                operation.run();
            } else if (closed) {
                break;
            } else if (!watches.isEmpty()) {
                follow();
            }
        }
        disconnect();
    }

    private @Nullable Runnable next(boolean ran) {
        Runnable waiting = operations.poll();
        if (waiting != null || closed) {
            return waiting;
        }
        Duration wait = IDLE;
        if (!watches.isEmpty()) {
            Duration untilRead = Duration.ofNanos(Math.max(0, nextRead - System.nanoTime()));
            wait = link == null ? untilRead : ran ? NEXT : Duration.ZERO;
        }
        try {
            return operations.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            // No code interrupts this thread.
            return null;
        }
    }

    // ---- operations

    private <T> void attempt(Duration limit, Work<T> work, CompletableFuture<T> result) {
        long begin = System.nanoTime();
        boolean repeated = false;
        while (true) {
            try {
                DatabaseLink open = connected();
                open.limit(limit);
                result.complete(work.run(open.connection(), repeated));
                return;
            } catch (SQLException e) {
                boolean again = PostgresqlFailure.isOfConnection(e) && !PostgresqlFailure.isPermanent(e);
                if (again) {
                    disconnect();
                }
                if (!again
                        || closed
                        || System.nanoTime() - begin
                                > access.settings().timeout().toNanos()) {
                    result.completeExceptionally(failure(e));
                    return;
                }
                repeated = true;
                pause();
            } catch (FleetException e) {
                result.completeExceptionally(e);
                return;
            } catch (ConfigException e) {
                result.completeExceptionally(PostgresqlFailure.of(e));
                return;
            } catch (RuntimeException | Error e) {
                // The state of the connection is unknown.
                disconnect();
                result.completeExceptionally(e);
                return;
            }
        }
    }

    private FleetException failure(SQLException e) {
        return PostgresqlFailure.of(e, access.settings().endpoints());
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            // No code interrupts this thread.
        }
    }

    private DatabaseLink connected() throws SQLException {
        DatabaseLink present = link;
        if (present == null) {
            present = DatabaseLink.open(access);
            link = present;
        }
        return present;
    }

    private void disconnect() {
        DatabaseLink present = link;
        link = null;
        nextRead = System.nanoTime();
        if (present != null) {
            present.close();
        }
    }

    // ---- watches

    private void follow() {
        try {
            DatabaseLink open = connected();
            if (!open.isListening()) {
                open.listen(channel);
                nextRead = System.nanoTime();
            }
            long left = nextRead - System.nanoTime();
            Duration wait = Duration.ofNanos(Math.min(Math.max(0, left), NOTIFICATIONS.toNanos()));
            boolean due = left <= 0;
            if (due || open.isNotified(space, wait)) {
                read(open);
            }
        } catch (SQLException e) {
            boolean broken = PostgresqlFailure.isOfConnection(e);
            if (broken) {
                disconnect();
            }
            // A connection that was closed is replaced at once. The store is unavailable only if the replacement fails.
            if (!broken || lost++ > 0) {
                unavailable(failure(e));
            }
        } catch (ConfigException e) {
            unavailable(PostgresqlFailure.of(e));
        } catch (RuntimeException e) {
            LOG.error("fleet: internal error while reading the store; the gateway connects to the database again", e);
            disconnect();
            later(RETRY);
        }
    }

    private void read(DatabaseLink open) throws SQLException {
        // A notification during the read arrives after the read, so the next wait returns at once.
        later(READ);
        open.limit(access.settings().timeout());
        try {
            Optional<StoredHead> head = heads.newest(open.connection());
            lost = 0;
            if (head.isPresent()) {
                watches.forEach(watch -> watch.listener().head(head.get()));
            }
        } catch (FleetException e) {
            watches.forEach(watch -> watch.listener().unavailable(e));
        }
    }

    private void unavailable(FleetException reason) {
        later(RETRY);
        watches.forEach(watch -> watch.listener().unavailable(reason));
    }

    /**
     * Sets the time of the next read. A random part of the delay ensures that the gateways do not all read at the same
     * time.
     */
    private void later(Duration delay) {
        long nanos = delay.toNanos();
        nextRead = System.nanoTime() + nanos - ThreadLocalRandom.current().nextLong(nanos / 4);
    }

    /** Ends the watches, and waits at most half a second for the operations in progress. */
    @Override
    public void close() {
        closed = true;
        watches.clear();
        operations.add(() -> {});
        try {
            thread.join(CLOSE_WITHIN.toMillis());
            DatabaseLink present = link;
            if (thread.isAlive() && present != null) {
                present.abort();
                thread.join(CLOSE_WITHIN.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
