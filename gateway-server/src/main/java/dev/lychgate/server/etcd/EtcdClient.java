package dev.lychgate.server.etcd;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EtcdConfig;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.push.BackOff;
import dev.lychgate.server.terminal.JsonValue;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client of an etcd cluster. A request is sent to the member that responded most recently. If the member does not
 * respond, the next member is tried. After each round of all members, the client pauses. At a deadline, the request
 * fails. Futures complete on the thread of the client and fail with an {@link EtcdException}. Thread-safe.
 */
public final class EtcdClient implements AutoCloseable {
    /** The deadline for a request with its retries, as a multiple of the timeout for one attempt. */
    private static final int ATTEMPTS = 5;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    /** The maximum time for cancelled requests to close their connections. */
    private static final Duration LINGER = Duration.ofMillis(500);

    private static final int MOST_TOKENS = 2;

    private final List<URI> members;
    private final Duration deadline;
    private final Tokens tokens;
    private final EtcdConnections connections;
    private final ScheduledThreadPoolExecutor thread;
    /** The index of the member to which requests are sent. */
    private final AtomicInteger preferred = new AtomicInteger();

    private final AtomicInteger active = new AtomicInteger();
    private volatile boolean closed;

    /**
     * A successful response.
     *
     * @param repeated whether the request was sent more than once. In this case, the cluster may also have applied an
     *         earlier attempt
     */
    public record Response(JsonValue json, boolean repeated) {}

    /**
     * Reads the certificates, but opens no connection. May block.
     *
     * @throws ConfigException if a file is unusable
     */
    public EtcdClient(EtcdConfig config, String threadName) {
        this.members = config.endpoints();
        this.deadline = config.timeout().multipliedBy(ATTEMPTS);
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread created = new Thread(task, threadName);
            created.setDaemon(true);
            return created;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setRemoveOnCancelPolicy(true);
        this.connections = new EtcdConnections(config, thread);
        this.tokens = new Tokens(config, connections);
    }

    /** Sends a request to a path of etcd's JSON gateway, such as {@code /v3/kv/range}. */
    public CompletableFuture<Response> call(String path, JsonObject body) {
        Call call = new Call(path, body);
        if (closed) {
            call.result.completeExceptionally(closed());
            return call.result;
        }
        active.incrementAndGet();
        call.result.whenComplete((response, failure) -> {
            if (active.decrementAndGet() == 0 && closed) {
                end();
            }
        });
        execute(call);
        return call.result;
    }

    private static EtcdException closed() {
        return new EtcdException(EtcdException.Kind.UNAVAILABLE, "the client of etcd is closed");
    }

    /**
     * Returns the current time by a member's clock. A response of the member states this time in the header {@code
     * Date}.
     */
    public CompletableFuture<Instant> time() {
        return call("/v3/maintenance/status", new JsonObject()).thenCompose(response -> connections.time(member()));
    }

    /** Sends a request to one member, without a retry if the request fails. */
    CompletableFuture<JsonValue> callMember(URI member, String path, JsonObject body) {
        return tokens.current(member).thenCompose(token -> connections.send(member, path, body, token));
    }

    /** Opens a stream from a member; see {@link EtcdConnections#stream}. */
    CompletableFuture<Void> stream(URI member, String path, JsonObject body, String token, JsonLines lines) {
        return connections.stream(member, path, body, token, lines);
    }

    CompletableFuture<String> token(URI member) {
        return tokens.current(member);
    }

    void expireToken(String token) {
        tokens.expire(token);
    }

    /** Returns the member to which requests are sent. */
    URI member() {
        return member(preferred.get());
    }

    private URI member(int number) {
        return members.get(Math.floorMod(number, members.size()));
    }

    /** Sends later requests to a member other than {@code member}. */
    void avoid(URI member) {
        int number = preferred.get();
        if (member(number).equals(member)) {
            preferred.compareAndSet(number, number + 1);
        }
    }

    /** Runs a task on the thread of the client; does nothing after the client has ended. */
    void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            if (task instanceof Call call) {
                call.result.completeExceptionally(closed());
            }
        }
    }

    /** Runs a task after a pause; does nothing after the client has ended. */
    void later(Runnable task, long nanos) {
        try {
            thread.schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            if (task instanceof Call call) {
                call.result.completeExceptionally(closed());
            }
        }
    }

    Executor thread() {
        return this::execute;
    }

    boolean isClosed() {
        return closed;
    }

    /** The attempts of one request. Only the thread of the client runs them. */
    private final class Call implements Runnable {
        private final CompletableFuture<Response> result = new CompletableFuture<>();
        private final String path;
        private final JsonObject body;
        private final long begin = System.nanoTime();
        private final BackOff pauses = new BackOff(FIRST_PAUSE, LONGEST_PAUSE, Duration.ZERO);
        private int failures;
        private int expired;

        Call(String path, JsonObject body) {
            this.path = path;
            this.body = body;
        }

        @Override
        public void run() {
            URI member = member();
            tokens.current(member)
                    .thenCompose(token -> connections
                            .send(member, path, body, token)
                            .whenComplete((response, failure) -> expireIfOld(token, member, failure)))
                    .whenCompleteAsync((response, failure) -> ended(member, response, failure), thread());
        }

        private void expireIfOld(String token, URI member, Throwable failure) {
            if (failure != null && EtcdConnections.unavailable(member, failure).kind() == EtcdException.Kind.TOKEN) {
                tokens.expire(token);
            }
        }

        private void ended(URI member, JsonValue response, Throwable failure) {
            if (failure == null) {
                result.complete(new Response(response, failures > 0));
                return;
            }
            EtcdException reason = EtcdConnections.unavailable(member, failure);
            if (reason.kind() == EtcdException.Kind.TOKEN && expired++ < MOST_TOKENS) {
                execute(this);
            } else if (reason.kind() == EtcdException.Kind.UNAVAILABLE && !isLate()) {
                avoid(member);
                failures++;
                // All members are tried before the first pause.
                later(this, failures % members.size() == 0 ? pauses.pause(Duration.ZERO) : 0);
            } else {
                result.completeExceptionally(reason);
            }
        }

        private boolean isLate() {
            return closed || System.nanoTime() - begin > deadline.toNanos();
        }
    }

    private void end() {
        try {
            thread.schedule(thread::shutdown, LINGER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The thread of the client has already ended.
        }
    }

    /** Refuses further requests. Requests in progress complete. */
    @Override
    public void close() {
        closed = true;
        if (active.get() == 0) {
            end();
        }
    }
}
