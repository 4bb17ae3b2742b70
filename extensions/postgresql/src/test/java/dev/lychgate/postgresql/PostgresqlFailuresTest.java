package dev.lychgate.postgresql;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.fleet.FleetStore;
import dev.lychgate.fleet.FleetStoreContract;
import dev.lychgate.testing.BlackHole;
import dev.lychgate.testing.Relay;
import dev.lychgate.testing.UnusedPort;
import java.net.URI;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store while the server is killed, frozen, unreachable or replaced, and while statements fail. */
@Tag("slow")
class PostgresqlFailuresTest {
    /** Limit of the wait for a change on loaded machines. */
    private static final Duration APPLIED_WITHIN = Duration.ofSeconds(30);

    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final StoreHome listener = new StoreHome();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private @Nullable PostgresqlServer started;
    private long epoch;

    @BeforeEach
    void startServer() throws Exception {
        assumeTrue(PostgresqlServer.isInstalled(), PostgresqlServer.MISSING);
        PostgresqlServer server = PostgresqlServer.start();
        started = server;
        FleetStore store = connect(server.endpoint());
        FleetStoreContract.get(store.prepare());
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        if (started != null) {
            started.close();
        }
    }

    private PostgresqlServer server() {
        PostgresqlServer running = started;
        if (running == null) {
            throw new AssertionError("not started");
        }
        return running;
    }

    private FleetStore connect(String... endpoints) {
        FleetStore store = PostgresqlStore.open(StoreHome.settings(List.of(endpoints), "lychgate", TIMEOUT), "prod");
        opened.add(store);
        return store;
    }

    /** Writes the next head, even if an earlier attempt was applied without a response. */
    private void write(FleetStore store) throws Exception {
        byte[] head = FleetStoreContract.bytes("head " + (epoch + 1));
        if (!FleetStoreContract.get(store.compareAndSetHead(epoch, head))) {
            assertThat(FleetStoreContract.get(store.head(epoch + 1))
                            .orElseThrow()
                            .bytes())
                    .isEqualTo(head);
        }
        epoch++;
    }

    private void awaitHead() throws Exception {
        eventually(APPLIED_WITHIN, () -> assertThat(listener.seen).contains(epoch));
        assertThat(listener.seen).isSorted();
    }

    private static String failure(CompletableFuture<?> operation) {
        return FleetStoreContract.refusal(() -> FleetStoreContract.get(operation));
    }

    /** Returns a store with a watch that has reported the first head. */
    private FleetStore watching() throws Exception {
        FleetStore store = connect(server().endpoint());
        store.watchHead(listener);
        write(store);
        awaitHead();
        return store;
    }

    @Test
    void reportsTheEndOfTheServerAndAppliesTheHeadAfterItsReturn() throws Exception {
        FleetStore store = watching();
        server().kill();
        assertThat(failure(store.head()))
                .startsWith("UNAVAILABLE: the store does not respond: postgresql: " + server().endpoint() + ": ");
        eventually(() -> assertThat(listener.failures).isNotEmpty());
        server().restart();
        eventually(() -> write(store));
        awaitHead();
    }

    @Test
    void operationsContinueAfterARestart() throws Exception {
        FleetStore store = watching();
        server().stop();
        server().restart();
        write(store);
        awaitHead();
    }

    @Test
    void appliesTheHeadAfterTheServerWasFrozen() throws Exception {
        FleetStore store = watching();
        server().signalAll("STOP");
        assertThat(failure(store.head())).startsWith("UNAVAILABLE: the store does not respond: postgresql: ");
        eventually(() -> assertThat(listener.failures).isNotEmpty());
        server().signalAll("CONT");
        eventually(() -> write(store));
        awaitHead();
    }

    @Test
    void aConnectionThatIsClosedIsReplacedWithoutAFailure() throws Exception {
        FleetStore store = watching();
        FleetStore writer = connect(server().endpoint());
        for (int i = 0; i < 5; i++) {
            server().sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lychgate'");
            write(writer);
            awaitHead();
        }
        assertThat(failure(store.head())).isEqualTo("accepted");
        assertThat(listener.failures).isEmpty();
    }

    @Test
    void aSilentConnectionIsReplacedWithinSeconds() throws Exception {
        try (Relay relay = new Relay(URI.create("http://127.0.0.1:" + server().port()))) {
            FleetStore store = connect("127.0.0.1:" + relay.address().getPort());
            store.watchHead(listener);
            FleetStore writer = connect(server().endpoint());
            write(writer);
            awaitHead();

            relay.becomeSilent();
            write(writer);
            eventually(APPLIED_WITHIN, () -> assertThat(listener.failures).isNotEmpty());
            assertThat(listener.seen).doesNotContain(epoch);
            relay.forwardAgain();
            awaitHead();
        }
    }

    @Test
    void aLostNotificationDelaysAHeadBySecondsOnly() throws Exception {
        watching();
        server().sql("INSERT INTO lychgate.heads VALUES ('prod', 2, 'without a notification')");
        epoch = 2;
        awaitHead();
        assertThat(listener.failures).isEmpty();
    }

    @Test
    void usesTheNextAddressInPlaceOfAnUnreachableOne() throws Exception {
        try (BlackHole hole = new BlackHole()) {
            FleetStore store = connect(
                    "127.0.0.1:" + hole.address().getPort(), "127.0.0.1:" + UnusedPort.number(), server().endpoint());
            store.watchHead(listener);
            write(store);
            awaitHead();
        }
    }

    @Test
    void anUnreachableServerFailsOperationsInTime() throws Exception {
        try (BlackHole hole = new BlackHole()) {
            FleetStore store = connect("127.0.0.1:" + hole.address().getPort());
            assertThat(failure(store.head())).startsWith("UNAVAILABLE: the store does not respond: postgresql: ");
            store.watchHead(listener);
            eventually(() -> assertThat(listener.failures).isNotEmpty());
        }
    }

    @Test
    void aStatementThatFailsLeavesTheConnectionUsable() throws Exception {
        FleetStore store = watching();
        server().sql("CREATE FUNCTION lychgate.refuse() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN RAISE EXCEPTION ''first line%second line'', chr(10); END';"
                + " CREATE TRIGGER refusing BEFORE INSERT ON lychgate.heads EXECUTE FUNCTION lychgate.refuse();"
                + " CREATE TRIGGER refusing BEFORE INSERT ON lychgate.releases FOR EACH ROW"
                + " WHEN (NEW.number = 1) EXECUTE FUNCTION lychgate.refuse()");
        String reason = "UNAVAILABLE: the store refuses the request: postgresql: " + server().endpoint()
                + ": first line second line (P0001)";
        assertThat(failure(store.compareAndSetHead(epoch, FleetStoreContract.bytes("x"))))
                .isEqualTo(reason);
        assertThat(failure(store.putArchive("a".repeat(64), new byte[3 << 20]))).isEqualTo(reason);
        assertThat(failure(store.archive("a".repeat(64)))).startsWith("MISSING: ");
        server().sql("DROP FUNCTION lychgate.refuse() CASCADE");
        write(store);
        awaitHead();
        assertThat(listener.failures).isEmpty();
    }

    @Test
    void aLockedTableFailsOperationsInTime() throws Exception {
        FleetStore store = watching();
        try (Connection other = server().connect("lychgate");
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE lychgate.heads");
            String connections = connections();
            assertThat(failure(store.head()))
                    .isEqualTo("UNAVAILABLE: the store does not respond: postgresql: " + server().endpoint()
                            + ": canceling statement due to statement timeout (57014)");
            eventually(() -> assertThat(listener.failures).hasSizeGreaterThan(3));
            // Each attempt that the server did not end would leave a connection that waits for the lock.
            assertThat(connections()).isEqualTo(connections);
        }
        eventually(() -> write(store));
        awaitHead();
    }

    private String connections() throws Exception {
        return String.valueOf(
                server().sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'lychgate'"));
    }

    @Test
    void aWriterThatStopsInTheMiddleDoesNotBlockOthersForever() throws Exception {
        FleetStore store = watching();
        try (Connection other = server().connect("lychgate");
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("INSERT INTO lychgate.heads VALUES ('prod', 2, 'never committed')");
            assertThat(failure(store.compareAndSetHead(1, FleetStoreContract.bytes("head 2"))))
                    .startsWith("UNAVAILABLE: the store does not respond: postgresql: ");
        }
        eventually(() -> write(store));
        awaitHead();
    }

    @Test
    void anOperationInProgressEndsWhenTheStoreIsClosed() throws Exception {
        FleetStore store = watching();
        try (Connection other = server().connect("lychgate");
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE lychgate.releases");
            CompletableFuture<byte[]> blocked = store.archive("a".repeat(64));
            TimeUnit.MILLISECONDS.sleep(200);
            store.close();
            assertThat(failure(blocked)).startsWith("UNAVAILABLE: ");
        }
        assertThat(failure(store.head())).isEqualTo("UNAVAILABLE: the store is closed");
        eventually(() -> assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("lychgate-fleet-postgresql"))
                // The store that created the tables.
                .hasSize(1));
    }

    @Test
    void followsAFailoverToTheReplica() throws Exception {
        try (PostgresqlServer replica = PostgresqlServer.replica(server())) {
            FleetStore store = connect(server().endpoint(), replica.endpoint());
            store.watchHead(listener);
            write(store);
            awaitHead();
            assertThat(failure(connect(replica.endpoint()).head()))
                    .startsWith("UNAVAILABLE: the store does not respond: postgresql: ");
            eventually(() -> assertThat(replica.sql("SELECT count(*) FROM lychgate.heads"))
                    .isEqualTo("1"));
            server().kill();
            replica.promote();
            eventually(() -> write(store));
            awaitHead();
        }
    }
}
