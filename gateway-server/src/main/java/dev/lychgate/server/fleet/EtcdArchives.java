package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetNames;
import dev.lychgate.server.etcd.EtcdClient;
import dev.lychgate.server.etcd.EtcdException;
import dev.lychgate.server.etcd.EtcdRange;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.terminal.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The archives in an etcd cluster. An archive is stored in chunks, because etcd limits the size of a request. The key
 * of a release lists the chunks, and is written after them. Therefore, readers find only complete archives.
 *
 * <p>The names of the chunks contain the digest of the whole archive. If one release has two archives with different
 * signatures, their chunks are therefore separate.
 */
final class EtcdArchives {
    private static final int CHUNK = 256 << 10;
    private static final int LARGEST_INDEX = 100;

    private final EtcdClient client;
    private final String releases;
    private final String chunks;

    EtcdArchives(EtcdClient client, String place) {
        this.client = client;
        this.releases = place + "releases/";
        this.chunks = place + "chunks/";
    }

    /**
     * The list of the chunks of an archive.
     *
     * @param digest the digest of the archive
     * @param size the size of the archive in bytes, from which the number of chunks follows
     */
    private record Index(String digest, int size) {
        static Index of(byte[] archive) {
            return new Index(ReleaseManifest.digest(archive), archive.length);
        }

        static Index parse(byte[] text) throws FleetException {
            String[] parts = new String(text, StandardCharsets.UTF_8).split(" ", -1);
            if (parts.length != 2) {
                throw FleetException.refused("an archive in the store has a malformed list of chunks");
            }
            long size = FleetText.number("size of an archive in the store", parts[1]);
            if (size > Release.LARGEST) {
                throw FleetException.refused("an archive in the store is larger than " + Release.LARGEST + " bytes");
            }
            return new Index(FleetNames.digest(parts[0]), (int) size);
        }

        String text() {
            return digest + " " + size;
        }

        int count() {
            return (size + CHUNK - 1) / CHUNK;
        }

        int length(int number) {
            return Math.min(CHUNK, size - number * CHUNK);
        }
    }

    private String chunk(Index index, int number) {
        return chunks + index.digest + "/%05d".formatted(number);
    }

    private CompletableFuture<byte[]> read(String key, String what, int most, FleetException missing) {
        JsonObject body = new JsonObject().with("key", EtcdRange.encoded(key));
        return client.call("/v3/kv/range", body).thenApply(response -> {
            List<JsonValue> kvs = response.json().list("kvs");
            try {
                if (kvs.isEmpty()) {
                    throw missing;
                }
                return EtcdStore.value(kvs.get(0), what, most);
            } catch (FleetException | EtcdException e) {
                throw new CompletionException(e);
            }
        });
    }

    private CompletableFuture<?> write(String key, byte[] value) {
        return client.call(
                "/v3/kv/put",
                new JsonObject().with("key", EtcdRange.encoded(key)).with("value", EtcdRange.encoded(value)));
    }

    CompletableFuture<byte[]> get(String digest) {
        try {
            String key = releases + FleetNames.digest(digest);
            String name = Release.shortened(digest);
            FleetException missing =
                    new FleetException(FleetException.Kind.MISSING, "the store has no release " + name);
            return read(key, "the list of chunks of " + name, LARGEST_INDEX, missing)
                    .thenCompose(text -> {
                        try {
                            Index index = Index.parse(text);
                            return collect(index, 0, new byte[index.size]);
                        } catch (FleetException e) {
                            return CompletableFuture.failedFuture(e);
                        }
                    });
        } catch (FleetException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Reads the chunks one after the other, and then checks the digest of the whole archive. */
    private CompletableFuture<byte[]> collect(Index index, int number, byte[] archive) {
        if (number == index.count()) {
            return ReleaseManifest.digest(archive).equals(index.digest)
                    ? CompletableFuture.completedFuture(archive)
                    : CompletableFuture.failedFuture(FleetException.refused(
                            "an archive in the store is corrupted: the digest of its bytes differs from the"
                                    + " stored digest"));
        }
        int length = index.length(number);
        FleetException missing =
                new FleetException(FleetException.Kind.MISSING, "an archive in the store lacks chunk " + number);
        return read(chunk(index, number), "chunk " + number + " of an archive", CHUNK, missing)
                .thenCompose(bytes -> {
                    if (bytes.length != length) {
                        return CompletableFuture.failedFuture(
                                FleetException.refused("chunk " + number + " of an archive in the store has "
                                        + bytes.length + " bytes (expected: " + length + ")"));
                    }
                    System.arraycopy(bytes, 0, archive, number * CHUNK, length);
                    return collect(index, number + 1, archive);
                });
    }

    /** Writes an archive, unless the store already has an intact copy. */
    CompletableFuture<Void> put(String digest, byte[] archive) {
        return get(digest)
                .handle((present, failure) -> {
                    if (failure == null && Arrays.equals(present, archive)) {
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    boolean writable = failure == null
                            || (EtcdStore.fleet(failure).kind() != FleetException.Kind.UNAVAILABLE
                                    && digest.matches("[0-9a-f]{64}"));
                    return writable
                            ? write(digest, Index.of(archive), 0, archive)
                            : CompletableFuture.<Void>failedFuture(failure);
                })
                .thenCompose(done -> done);
    }

    private CompletableFuture<Void> write(String digest, Index index, int number, byte[] archive) {
        if (number == index.count()) {
            return write(releases + digest, index.text().getBytes(StandardCharsets.UTF_8))
                    .thenApply(done -> null);
        }
        int begin = number * CHUNK;
        byte[] part = Arrays.copyOfRange(archive, begin, begin + index.length(number));
        return write(chunk(index, number), part).thenCompose(done -> write(digest, index, number + 1, archive));
    }
}
