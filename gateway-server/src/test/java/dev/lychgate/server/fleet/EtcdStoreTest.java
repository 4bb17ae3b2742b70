package dev.lychgate.server.fleet;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.config.EtcdConfig;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetStore;
import dev.lychgate.fleet.FleetStoreContract;
import dev.lychgate.server.etcd.EtcdClient;
import dev.lychgate.server.etcd.EtcdRange;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.terminal.JsonValue;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store in an etcd cluster of three members, with the values that a hostile writer leaves there. */
@Tag("slow")
class EtcdStoreTest extends FleetStoreContract {
    private static final AtomicInteger TESTS = new AtomicInteger();
    private static @Nullable EtcdCluster started;

    private EtcdConfig config = EtcdConfig.of(List.of(URI.create("http://127.0.0.1:1")));

    @BeforeAll
    static void startCluster() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), EtcdCluster.MISSING);
        started = EtcdCluster.start(3);
    }

    @AfterAll
    static void stopCluster() throws Exception {
        EtcdCluster last = started;
        if (last != null) {
            last.close();
        }
    }

    private static EtcdCluster cluster() {
        EtcdCluster running = started;
        if (running == null) {
            throw new AssertionError("not started");
        }
        return running;
    }

    @BeforeEach
    void usePlaceOfItsOwn() {
        config = new EtcdConfig(
                cluster().endpoints(), "/test/" + TESTS.incrementAndGet(), null, null, null, Duration.ofSeconds(2));
    }

    @Override
    protected FleetStore connect() throws Exception {
        return EtcdStore.open(config, SPACE);
    }

    private String key(String name) {
        return config.prefix() + "/" + SPACE + "/" + name;
    }

    private JsonValue etcd(String path, JsonObject body) throws Exception {
        try (EtcdClient client = new EtcdClient(config, "test-etcd")) {
            return client.call(path, body).get(10, TimeUnit.SECONDS).json();
        }
    }

    private void write(String name, byte[] value) throws Exception {
        etcd(
                "/v3/kv/put",
                new JsonObject().with("key", EtcdRange.encoded(key(name))).with("value", EtcdRange.encoded(value)));
    }

    private static String epoch(int number) {
        return "heads/%019d".formatted(number);
    }

    @Test
    void refusesHeadsThatAreTooLargeOrHaveMalformedNames() throws Exception {
        FleetStore store = store();
        write(epoch(1), new byte[9000]);
        assertThat(refusal(() -> get(store.head())))
                .isEqualTo("REFUSED: the head of epoch 1 in the store is larger than 8192 bytes");
        assertThat(refusal(() -> get(store.head(1)))).startsWith("REFUSED: ");
        write("heads/9garbage", bytes("x"));
        assertThat(refusal(() -> get(store.head()))).startsWith("REFUSED: the store has a head with a malformed epoch");
    }

    @Test
    void aHeadOfALaterEpochPreventsAChange() throws Exception {
        FleetStore store = store();
        get(store.compareAndSetHead(0, bytes("first")));
        write(epoch(7), bytes("forged"));
        assertThat(get(store.compareAndSetHead(1, bytes("second")))).isFalse();
        assertThat(get(store.head()).orElseThrow().epoch()).isEqualTo(7);
    }

    @Test
    void refusesDamagedArchivesAndRepairsThemWhenTheyArePushedAgain() throws Exception {
        String digest = "a".repeat(64);
        byte[] archive = new byte[600_000];
        FleetStore store = store();
        get(store.putArchive(digest, archive));
        String chunks = "chunks/" + ReleaseManifest.digest(archive);

        write(chunks + "/00001", new byte[] {1});
        assertThat(refusal(() -> get(store.archive(digest))))
                .isEqualTo("REFUSED: chunk 1 of an archive in the store has 1 bytes (expected: 262144)");
        byte[] changed = new byte[262_144];
        changed[5] = 1;
        write(chunks + "/00001", changed);
        assertThat(refusal(() -> get(store.archive(digest))))
                .endsWith("is corrupted: the digest of its bytes differs from the stored digest");
        write(chunks + "/00001", new byte[1_000_000]);
        assertThat(refusal(() -> get(store.archive(digest)))).endsWith("is larger than 262144 bytes");
        etcd("/v3/kv/deleterange", new JsonObject().with("key", EtcdRange.encoded(key(chunks + "/00002"))));
        get(store.putArchive(digest, archive));
        assertThat(get(store.archive(digest))).isEqualTo(archive);

        etcd("/v3/kv/deleterange", new JsonObject().with("key", EtcdRange.encoded(key(chunks + "/00002"))));
        assertThat(refusal(() -> get(store.archive(digest))))
                .isEqualTo("MISSING: an archive in the store lacks chunk 2");
        write("releases/" + digest, bytes("x".repeat(64) + " 10"));
        assertThat(refusal(() -> get(store.archive(digest)))).startsWith("REFUSED: ");
        write("releases/" + digest, bytes("b".repeat(64) + " 99999999999"));
        assertThat(refusal(() -> get(store.archive(digest)))).startsWith("REFUSED: ");
        write("releases/" + digest, new byte[1_000_000]);
        assertThat(refusal(() -> get(store.archive(digest)))).startsWith("REFUSED: ");
    }

    @Test
    void omitsReportsThatNoNodeWrote() throws Exception {
        FleetStore store = store();
        get(store.report("a", bytes("a")));
        write("nodes/large", new byte[100_000]);
        write("nodes/..", bytes("x"));
        write("nodes/a/b", bytes("x"));
        write("nodes/forged", bytes("x"));

        List<FleetStore.StoredReport> reports = get(store.reports());
        assertThat(reports).extracting(FleetStore.StoredReport::node).containsExactly("a", "forged");
        // Without a lease, the age is unknown, and the node counts as lost.
        assertThat(reports.get(1).age()).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void theAgeOfAReportGrowsUntilTheNextReport() throws Exception {
        FleetStore store = store();
        get(store.report("a", bytes("1")));
        eventually(() -> assertThat(get(store.reports()).get(0).age()).isGreaterThanOrEqualTo(Duration.ofSeconds(3)));
        // The age grows during a pause, too.
        eventually(() -> {
            get(store.report("a", bytes("2")));
            assertThat(get(store.reports()).get(0).age()).isLessThan(Duration.ofSeconds(3));
        });
    }

    @Test
    void aWatchContinuesAfterACompaction() throws Exception {
        FleetStore writer = store();
        get(writer.compareAndSetHead(0, bytes("1")));
        List<Long> seen = new CopyOnWriteArrayList<>();
        store().watchHead(new FleetStore.HeadListener() {
            @Override
            public void head(FleetStore.StoredHead head) {
                seen.add(head.epoch());
            }

            @Override
            public void unavailable(FleetException reason) {
                seen.add(-1L);
            }
        });
        eventually(() -> assertThat(seen).contains(1L));
        for (long epoch = 1; epoch < 5; epoch++) {
            get(writer.compareAndSetHead(epoch, bytes("head " + epoch)));
            String revision = etcd("/v3/kv/range", new JsonObject().with("key", "eA=="))
                    .get("header")
                    .get("revision")
                    .raw();
            etcd(
                    "/v3/kv/compaction",
                    new JsonObject().with("revision", revision).with("physical", true));
        }
        eventually(() -> assertThat(seen).contains(5L).doesNotContain(-1L).isSorted());
    }

    @Test
    void aForgedWatchedHeadIsReportedAsUnreadable() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        FleetStore store = store();
        store.watchHead(new FleetStore.HeadListener() {
            @Override
            public void head(FleetStore.StoredHead head) {
                events.add("head " + head.epoch());
            }

            @Override
            public void unavailable(FleetException reason) {
                events.add(reason.reason());
            }
        });
        write(epoch(1), new byte[9000]);
        eventually(() -> assertThat(events)
                .anyMatch(event -> event.endsWith("the head of epoch 1 in the store is larger than 8192 bytes")));
        write(epoch(1), bytes("small"));
        eventually(() -> assertThat(events).contains("head 1"));
    }
}
