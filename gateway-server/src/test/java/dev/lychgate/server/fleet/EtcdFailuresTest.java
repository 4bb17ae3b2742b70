package dev.lychgate.server.fleet;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.config.EtcdConfig;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetStore;
import dev.lychgate.fleet.FleetStoreContract;
import dev.lychgate.testing.BlackHole;
import dev.lychgate.testing.Relay;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store in etcd while members are killed, frozen or unreachable. */
@Tag("slow")
class EtcdFailuresTest {
    /** Limit of the wait for a change on loaded machines. */
    private static final Duration APPLIED_WITHIN = Duration.ofSeconds(30);

    private final List<Long> seen = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private @Nullable EtcdCluster started;
    private long epoch;

    @BeforeEach
    void startCluster() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), EtcdCluster.MISSING);
        started = EtcdCluster.start(3);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        EtcdCluster last = started;
        if (last != null) {
            last.close();
        }
    }

    private EtcdCluster cluster() {
        EtcdCluster running = started;
        if (running == null) {
            throw new AssertionError("not started");
        }
        return running;
    }

    private FleetStore connect(List<URI> endpoints) throws Exception {
        EtcdConfig config = new EtcdConfig(endpoints, "/lychgate", null, null, null, Duration.ofMillis(500));
        FleetStore store = EtcdStore.open(config, FleetHome.SPACE);
        opened.add(store);
        return store;
    }

    private void watch(FleetStore store) {
        store.watchHead(new FleetStore.HeadListener() {
            @Override
            public void head(FleetStore.StoredHead head) {
                seen.add(head.epoch());
            }

            @Override
            public void unavailable(FleetException reason) {
                failures.add(reason.reason());
            }
        });
    }

    /** Writes the next head. */
    private void write(FleetStore store) throws Exception {
        byte[] head = FleetStoreContract.bytes("head " + (epoch + 1));
        boolean done = FleetStoreContract.get(store.compareAndSetHead(epoch, head));
        if (!done) {
            // An earlier call may have been applied although no member responded in time.
            FleetStore.StoredHead present =
                    FleetStoreContract.get(store.head(epoch + 1)).orElseThrow();
            assertThat(present.bytes()).isEqualTo(head);
        }
        epoch++;
    }

    private void awaitHead() throws Exception {
        eventually(APPLIED_WITHIN, () -> assertThat(seen).contains(epoch));
        assertThat(seen).isSorted();
    }

    @Test
    void survivesTheEndOfTheLeader() throws Exception {
        FleetStore store = connect(cluster().endpoints());
        watch(store);
        eventually(() -> write(store));
        awaitHead();
        int leader = cluster().leader();
        cluster().signal(leader, "KILL");
        for (int i = 0; i < 20; i++) {
            eventually(() -> write(store));
        }
        awaitHead();
        cluster().restart(leader);
        eventually(() -> write(store));
        awaitHead();
    }

    @Test
    void reportsTheEndOfTheQuorumAndAppliesTheHeadAfterItsReturn() throws Exception {
        FleetStore store = connect(cluster().endpoints());
        watch(store);
        eventually(() -> write(store));
        awaitHead();
        cluster().signal(1, "KILL");
        cluster().signal(2, "KILL");
        assertThat(FleetHome.refusal(() -> FleetStoreContract.get(store.head())))
                .startsWith("UNAVAILABLE: the store does not respond: etcd: ");
        eventually(() -> assertThat(failures).isNotEmpty());
        cluster().restart(1);
        eventually(() -> write(store));
        awaitHead();
    }

    @Test
    void anotherMemberRespondsInPlaceOfAFrozenOne() throws Exception {
        FleetStore store = connect(cluster().endpoints());
        watch(store);
        eventually(() -> write(store));
        awaitHead();
        int leader = cluster().leader();
        cluster().signal(leader, "STOP");
        eventually(() -> write(store));
        awaitHead();
        cluster().signal(leader, "CONT");
        eventually(() -> write(store));
        awaitHead();
    }

    @Test
    void aSilentConnectionDelaysAHeadBySecondsOnly() throws Exception {
        try (BlackHole hole = new BlackHole();
                Relay relay = new Relay(cluster().endpoint(0))) {
            URI nowhere = URI.create("http://127.0.0.1:" + hole.address().getPort());
            FleetStore watching =
                    connect(List.of(nowhere, relay.address(), cluster().endpoint(1)));
            watch(watching);
            FleetStore writer = connect(cluster().endpoints());
            eventually(() -> write(writer));
            awaitHead();

            relay.becomeSilent();
            eventually(() -> write(writer));
            // The small request to the member of the stream, and its timeout. The next read is a minute away.
            eventually(APPLIED_WITHIN, () -> assertThat(seen).contains(epoch));
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void aConnectionThatWasSilentIsReplacedAfterItsReturn() throws Exception {
        try (Relay relay = new Relay(cluster().endpoint(0))) {
            watch(connect(List.of(relay.address())));
            FleetStore writer = connect(cluster().endpoints());
            eventually(() -> write(writer));
            awaitHead();
            relay.becomeSilent();
            eventually(() -> write(writer));
            eventually(APPLIED_WITHIN, () -> assertThat(failures).isNotEmpty());
            assertThat(seen).doesNotContain(epoch);
            relay.forwardAgain();
            awaitHead();
        }
    }
}
