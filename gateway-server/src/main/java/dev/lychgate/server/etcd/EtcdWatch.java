package dev.lychgate.server.etcd;

import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.push.BackOff;
import dev.lychgate.server.terminal.JsonValue;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch of a range of keys. Each event causes a new read of the range; the content of events is not used. The range
 * is also read before each stream, after each failure and compaction, and every minute. A stream begins at the revision
 * after the read. Therefore, no change is lost.
 *
 * <p>Every few seconds, the watch sends a small request to the member of the stream, because a silent connection may be
 * dead. Only the thread of the client uses the state of the watch.
 */
public final class EtcdWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdWatch.class);
    private static final Duration PROBE = Duration.ofSeconds(3);
    private static final int PROBES_BETWEEN_READS = 20;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final EtcdClient client;
    private final EtcdRange range;
    private final Reader reader;
    private final BackOff pauses = new BackOff(FIRST_PAUSE, LONGEST_PAUSE, Duration.ZERO);
    private @Nullable CompletableFuture<Void> stream;
    private @Nullable URI streamedBy;
    /** The number of the present stream. Callbacks of earlier streams are ignored. */
    private int number;

    private boolean reading;
    private boolean readAgain;
    private int probes;
    private volatile boolean closed;

    /** Reads the range. The thread of the client calls the methods, one call at a time. */
    public interface Reader {
        /** Reads and reports the range, and returns the revision of the store at the time of the read. */
        CompletableFuture<Long> read();

        /**
         * Called if the range can't be read or watched. The watch continues.
         *
         * @param reason the failure of {@link #read}, or an {@link EtcdException}
         */
        void failed(Throwable reason);
    }

    private EtcdWatch(EtcdClient client, EtcdRange range, Reader reader) {
        this.client = client;
        this.range = range;
        this.reader = reader;
    }

    /** Starts a watch, which lasts until the watch or the client is closed. */
    public static EtcdWatch start(EtcdClient client, EtcdRange range, Reader reader) {
        EtcdWatch watch = new EtcdWatch(client, range, reader);
        client.execute(watch::restart);
        client.later(watch::probe, PROBE.toNanos());
        return watch;
    }

    private boolean isEnded() {
        return closed || client.isClosed();
    }

    private void restart() {
        int mine = ++number;
        endStream();
        if (isEnded()) {
            return;
        }
        reading = true;
        reader.read()
                .whenCompleteAsync(
                        (revision, failure) -> {
                            if (mine != number || isEnded()) {
                                return;
                            }
                            reading = false;
                            if (failure != null) {
                                failed(failure);
                            } else {
                                open(mine, revision + 1);
                            }
                        },
                        client.thread());
    }

    private void open(int mine, long from) {
        URI member = client.member();
        JsonObject create =
                range.json().with("start_revision", Long.toString(from)).with("progress_notify", true);
        JsonObject body = new JsonObject().with("create_request", create);
        JsonLines lines = new JsonLines(line -> client.execute(() -> receive(mine, line)));
        client.token(member)
                .thenComposeAsync(
                        token -> {
                            if (mine != number || isEnded()) {
                                return CompletableFuture.<Void>completedFuture(null);
                            }
                            CompletableFuture<Void> opened = client.stream(member, "/v3/watch", body, token, lines);
                            stream = opened;
                            streamedBy = member;
                            return opened.whenComplete((done, failure) -> {
                                if (failure != null
                                        && EtcdConnections.unavailable(member, failure)
                                                        .kind()
                                                == EtcdException.Kind.TOKEN) {
                                    client.expireToken(token);
                                }
                            });
                        },
                        client.thread())
                .whenCompleteAsync((done, failure) -> ended(mine, member, failure), client.thread());
    }

    private void receive(int mine, JsonValue line) {
        JsonValue result = line.get("result");
        if (mine != number || isEnded()) {
            return;
        }
        if (result.is("canceled")) {
            // The revisions since the last read were compacted, or the member has no leader.
            client.later(this::restart, pauses.pause(Duration.ZERO));
            return;
        }
        pauses.reset();
        if (!result.list("events").isEmpty()) {
            read();
        }
    }

    private void ended(int mine, URI member, @Nullable Throwable failure) {
        if (mine != number || isEnded()) {
            return;
        }
        if (failure != null) {
            EtcdException reason = EtcdConnections.unavailable(member, failure);
            LOG.debug("etcd: the stream of a watch ended: {}", reason.reason());
            if (reason.kind() == EtcdException.Kind.REFUSED) {
                reader.failed(reason);
            }
        }
        client.avoid(member);
        number++;
        client.later(this::restart, pauses.pause(Duration.ZERO));
    }

    private void failed(Throwable reason) {
        number++;
        endStream();
        reader.failed(reason);
        client.later(this::restart, pauses.pause(Duration.ZERO));
    }

    /** Reads the range while the stream continues. */
    private void read() {
        if (reading) {
            readAgain = true;
            return;
        }
        int mine = number;
        reading = true;
        reader.read()
                .whenCompleteAsync(
                        (revision, failure) -> {
                            if (mine != number || isEnded()) {
                                return;
                            }
                            reading = false;
                            boolean again = readAgain;
                            readAgain = false;
                            if (failure != null) {
                                failed(failure);
                            } else if (again) {
                                read();
                            }
                        },
                        client.thread());
    }

    private void probe() {
        if (isEnded()) {
            endStream();
            return;
        }
        client.later(this::probe, PROBE.toNanos());
        URI member = streamedBy;
        if (stream == null || member == null || reading) {
            return;
        }
        if (++probes % PROBES_BETWEEN_READS == 0) {
            read();
            return;
        }
        int mine = number;
        client.callMember(
                        member,
                        "/v3/kv/range",
                        range.json().with("count_only", true).with("serializable", true))
                .whenCompleteAsync(
                        (done, failure) -> {
                            if (failure != null && mine == number && !isEnded()) {
                                client.avoid(member);
                                restart();
                            }
                        },
                        client.thread());
    }

    private void endStream() {
        CompletableFuture<Void> ending = stream;
        stream = null;
        if (ending != null) {
            ending.cancel(true);
        }
    }

    @Override
    public void close() {
        closed = true;
        client.execute(this::endStream);
    }
}
