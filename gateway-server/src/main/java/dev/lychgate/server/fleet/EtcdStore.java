package dev.lychgate.server.fleet;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EtcdConfig;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetStore;
import dev.lychgate.server.etcd.EtcdClient;
import dev.lychgate.server.etcd.EtcdException;
import dev.lychgate.server.etcd.EtcdRange;
import dev.lychgate.server.etcd.EtcdWatch;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.terminal.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store in an etcd cluster. The head of each epoch is a key, which a transaction creates only if there is no head of
 * this or a later epoch. All reads are linearizable.
 */
public final class EtcdStore implements FleetStore {
    private static final String EPOCH = "[0-9]{19}";

    private final EtcdClient client;
    private final String heads;
    private final EtcdArchives archives;
    private final EtcdReports reports;

    private EtcdStore(EtcdClient client, String place) {
        this.client = client;
        this.heads = place + "heads/";
        this.archives = new EtcdArchives(client, place);
        this.reports = new EtcdReports(client, place + "nodes/");
    }

    /**
     * Opens the store of a space in a cluster. Reads the certificates, but sends no request.
     *
     * @param space a valid name of a space
     * @throws FleetException if a certificate cannot be read
     */
    public static EtcdStore open(EtcdConfig config, String space) throws FleetException {
        try {
            return new EtcdStore(new EtcdClient(config, "lychgate-fleet-etcd"), config.prefix() + "/" + space + "/");
        } catch (ConfigException e) {
            throw new FleetException(FleetException.Kind.REFUSED, "fleet.store.etcd: " + e.getMessage(), e);
        }
    }

    /** Converts the failure of a future to a {@link FleetException}. */
    static <T> CompletableFuture<T> converted(CompletableFuture<T> operation) {
        CompletableFuture<T> result = new CompletableFuture<>();
        operation.whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(fleet(failure));
            }
        });
        return result;
    }

    static FleetException fleet(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof FleetException fleet) {
            return fleet;
        }
        if (cause instanceof EtcdException etcd) {
            String what = etcd.kind() == EtcdException.Kind.UNAVAILABLE
                    ? "the store does not respond: "
                    : "the store refuses the request: ";
            return new FleetException(FleetException.Kind.UNAVAILABLE, what + "etcd: " + etcd.reason(), etcd);
        }
        return new FleetException(FleetException.Kind.UNAVAILABLE, "the store failed: " + cause, cause);
    }

    /**
     * Returns the value of a key in a response. Throws FleetException if the value is larger than {@code most} bytes.
     */
    static byte[] value(JsonValue kv, String what, int most) throws FleetException, EtcdException {
        byte[] bytes = EtcdRange.decoded(kv, "value");
        if (bytes.length > most) {
            throw FleetException.refused(what + " in the store is larger than " + most + " bytes");
        }
        return bytes;
    }

    @Override
    public CompletableFuture<Void> putArchive(String digest, byte[] archive) {
        return converted(archives.put(digest, archive));
    }

    @Override
    public CompletableFuture<byte[]> archive(String digest) {
        return converted(archives.get(digest));
    }

    @Override
    public CompletableFuture<Optional<StoredHead>> head() {
        return converted(newest().thenApply(Newest::head));
    }

    /** The head with the highest epoch, and the revision at which it was read. */
    private record Newest(Optional<StoredHead> head, long revision) {}

    private CompletableFuture<Newest> newest() {
        JsonObject body = range().json()
                .with("sort_target", "KEY")
                .with("sort_order", "DESCEND")
                .with("limit", "1");
        return client.call("/v3/kv/range", body).thenApply(response -> {
            try {
                long revision = Long.parseLong(
                        response.json().get("header").get("revision").raw());
                List<JsonValue> kvs = response.json().list("kvs");
                return new Newest(kvs.isEmpty() ? Optional.empty() : Optional.of(head(kvs.get(0))), revision);
            } catch (FleetException | EtcdException e) {
                throw new CompletionException(e);
            } catch (NumberFormatException e) {
                throw new CompletionException(FleetException.refused("the response of etcd has no revision"));
            }
        });
    }

    private StoredHead head(JsonValue kv) throws FleetException, EtcdException {
        String name = new String(EtcdRange.decoded(kv, "key"), StandardCharsets.UTF_8);
        String epoch = name.substring(Math.min(heads.length(), name.length()));
        if (!epoch.matches(EPOCH)) {
            throw FleetException.refused("the store has a head with a malformed epoch: " + Release.shortened(epoch));
        }
        return new StoredHead(
                Long.parseLong(epoch), value(kv, "the head of epoch " + Long.parseLong(epoch), FleetHead.LARGEST));
    }

    /** Returns the range of the keys of all heads. The last part of each key consists of digits. */
    private EtcdRange range() {
        return new EtcdRange(heads + "0", heads + ":");
    }

    private String key(long epoch) {
        return heads + "%019d".formatted(epoch);
    }

    @Override
    public CompletableFuture<Optional<StoredHead>> head(long epoch) {
        JsonObject body = new JsonObject().with("key", EtcdRange.encoded(key(epoch)));
        return converted(client.call("/v3/kv/range", body).thenApply(response -> {
            try {
                List<JsonValue> kvs = response.json().list("kvs");
                return kvs.isEmpty() ? Optional.<StoredHead>empty() : Optional.of(head(kvs.get(0)));
            } catch (FleetException | EtcdException e) {
                throw new CompletionException(e);
            }
        }));
    }

    @Override
    public CompletableFuture<Boolean> compareAndSetHead(long expected, byte[] next) {
        if (expected == Long.MAX_VALUE) {
            return CompletableFuture.completedFuture(false);
        }
        String created = EtcdRange.encoded(key(expected + 1));
        JsonObject noLater = new JsonObject()
                .with("target", "CREATE")
                .with("result", "EQUAL")
                .with("create_revision", "0")
                .with("key", created)
                .with("range_end", EtcdRange.encoded(range().end()));
        JsonObject present = new JsonObject()
                .with("target", "CREATE")
                .with("result", "GREATER")
                .with("create_revision", "0")
                .with("key", EtcdRange.encoded(key(expected)));
        JsonObject put = new JsonObject().with("key", created).with("value", EtcdRange.encoded(next));
        JsonObject body = new JsonObject()
                .with("compare", expected == 0 ? List.of(noLater) : List.of(noLater, present))
                .with("success", List.of(new JsonObject().with("request_put", put)))
                .with(
                        "failure",
                        List.of(new JsonObject().with("request_range", new JsonObject().with("key", created))));
        return converted(client.call("/v3/kv/txn", body)
                .thenApply(response -> response.json().is("succeeded") || wasApplied(response, next)));
    }

    /**
     * Returns whether an earlier attempt of this request has created the head, although no member responded to the
     * attempt.
     */
    private static boolean wasApplied(EtcdClient.Response response, byte[] next) {
        return response.repeated()
                && response.json().list("responses").stream()
                        .flatMap(each -> each.get("response_range").list("kvs").stream())
                        .anyMatch(kv -> isValue(kv, next));
    }

    private static boolean isValue(JsonValue kv, byte[] next) {
        try {
            return Arrays.equals(EtcdRange.decoded(kv, "value"), next);
        } catch (EtcdException e) {
            return false;
        }
    }

    @Override
    public AutoCloseable watchHead(HeadListener listener) {
        AtomicBoolean closed = new AtomicBoolean();
        EtcdWatch watch = EtcdWatch.start(client, range(), new EtcdWatch.Reader() {
            @Override
            public CompletableFuture<Long> read() {
                return newest().thenApply(newest -> {
                    // A read may be in progress when the watch is closed.
                    newest.head().filter(head -> !closed.get()).ifPresent(listener::head);
                    return newest.revision();
                });
            }

            @Override
            public void failed(Throwable reason) {
                if (!closed.get()) {
                    listener.unavailable(fleet(reason));
                }
            }
        });
        return () -> {
            closed.set(true);
            watch.close();
        };
    }

    @Override
    public CompletableFuture<Void> report(String node, byte[] report) {
        return converted(reports.put(node, report));
    }

    @Override
    public CompletableFuture<List<StoredReport>> reports() {
        return converted(reports.all());
    }

    @Override
    public CompletableFuture<Instant> time() {
        return converted(client.time());
    }

    @Override
    public void close() {
        client.close();
    }
}
