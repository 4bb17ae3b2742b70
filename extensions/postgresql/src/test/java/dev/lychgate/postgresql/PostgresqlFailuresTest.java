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

    /** Of stores whose operations are expected to fail; on loaded machines, the others fail as well. */
    private static final Duration SHORT = Duration.ofMillis(500);

    private static final Duration LONG = Duration.ofSeconds(10);

    private final StoreHome listener = new StoreHome();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private @Nullable PostgresqlServer started;
    private long epoch;

    @BeforeEach
    void startServer() throws Exception {
        assumeTrue(PostgresqlServer.isInstalled(), PostgresqlServer.MISSING);
        PostgresqlServer server = PostgresqlServer.start();
        started = server;
        FleetStore store = connect(LONG, server.endpoint());
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

    private FleetStore connect(Duration timeout, String... endpoints) {
        FleetStore store = PostgresqlStore.open(StoreHome.settings(List.of(endpoints), "lychgate", timeout), "prod");
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
    private FleetStore watching(Duration timeout) throws Exception {
        FleetStore store = connect(timeout, server().endpoint());
        store.watchHead(listener);
        eventually(APPLIED_WITHIN, () -> write(store));
        awaitHead();
        return store;
    }

    @Test
    void reportsTheEndOfTheServerAndAppliesTheHeadAfterItsReturn() throws Exception {
        FleetStore store = watching(SHORT);
        server().kill();
        assertThat(failure(store.head()))
                .startsWith("UNAVAILABLE: the store does not respond: postgresql: " + server().endpoint() + ": ");
        eventually(() -> assertThat(listener.failures).isNotEmpty());
        server().restart();
        eventually(APPLIED_WITHIN, () -> write(store));
        awaitHead();
    }

    @Test
    void operationsContinueAfterARestart() throws Exception {
        FleetStore store = watching(LONG);
        server().stop();
        server().restart();
        write(store);
        awaitHead();
    }

    @Test
    void appliesTheHeadAfterTheServerWasFrozen() throws Exception {
        FleetStore store = watching(SHORT);
        server().signalAll("STOP");
        assertThat(failure(store.head())).startsWith("UNAVAILABLE: the store does not respond: postgresql: ");
        eventually(() -> assertThat(listener.failures).isNotEmpty());
        server().signalAll("CONT");
        eventually(APPLIED_WITHIN, () -> write(store));
        awaitHead();
    }

    @Test
    void aConnectionThatIsClosedIsReplacedWithoutAFailure() throws Exception {
        FleetStore store = watching(LONG);
        FleetStore writer = connect(LONG, server().endpoint());
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
            FleetStore store = connect(SHORT, "127.0.0.1:" + relay.address().getPort());
            store.watchHead(listener);
            FleetStore writer = connect(LONG, server().endpoint());
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
        watching(LONG);
        server().sql("INSERT INTO lychgate.heads VALUES ('prod', 2, 'without a notification')");
        epoch = 2;
        awaitHead();
        assertThat(listener.failures).isEmpty();
    }

    @Test
    void usesTheNextAddressInPlaceOfAnUnreachableOne() throws Exception {
        try (BlackHole hole = new BlackHole()) {
            String silent = "127.0.0.1:" + hole.address().getPort();
            String closed = "127.0.0.1:" + UnusedPort.number();
            FleetStore store = connect(SHORT, silent, closed, server().endpoint());
            store.watchHead(listener);
            eventually(APPLIED_WITHIN, () -> write(store));
            awaitHead();
        }
    }

    @Test
    void anUnreachableServerFailsOperationsInTime() throws Exception {
        try (BlackHole hole = new BlackHole()) {
            FleetStore store = connect(SHORT, "127.0.0.1:" + hole.address().getPort());
            assertThat(failure(store.head())).startsWith("UNAVAILABLE: the store does not respond: postgresql: ");
            store.watchHead(listener);
            eventually(() -> assertThat(listener.failures).isNotEmpty());
        }
    }

    @Test
    void aStatementThatFailsLeavesTheConnectionUsable() throws Exception {
        FleetStore store = watching(LONG);
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
        FleetStore store = watching(SHORT);
        try (Connection other = server().connect("lychgate");
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE lychgate.heads");
            String connections = connections();
            // On a loaded machine, the store may give up before the server does.
            eventually(() -> assertThat(failure(store.head()))
                    .isEqualTo("UNAVAILABLE: the store does not respond: postgresql: " + server().endpoint()
                            + ": canceling statement due to statement timeout (57014)"));
            eventually(() -> assertThat(listener.failures).hasSizeGreaterThan(3));
            // Each attempt that the server did not end would leave a connection that waits for the lock.
            eventually(() -> assertThat(connections()).isEqualTo(connections));
        }
        eventually(APPLIED_WITHIN, () -> write(store));
        awaitHead();
    }

    private String connections() throws Exception {
        return String.valueOf(
                server().sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'lychgate'"));
    }

    @Test
    void aWriterThatStopsInTheMiddleDoesNotBlockOthersForever() throws Exception {
        FleetStore store = watching(SHORT);
        try (Connection other = server().connect("lychgate");
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("INSERT INTO lychgate.heads VALUES ('prod', 2, 'never committed')");
            assertThat(failure(store.compareAndSetHead(1, FleetStoreContract.bytes("head 2"))))
                    .startsWith("UNAVAILABLE: the store does not respond: postgresql: ");
        }
        eventually(APPLIED_WITHIN, () -> write(store));
        awaitHead();
    }

    @Test
    void anOperationInProgressEndsWhenTheStoreIsClosed() throws Exception {
        FleetStore store = watching(LONG);
        try (Connection other = server().connect("lychgate");
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE lychgate.releases");
            CompletableFuture<byte[]> blocked = store.archive("a".repeat(64));
            eventually(() -> assertThat(server().sql("SELECT count(*) FROM pg_locks WHERE NOT granted"))
                    .isEqualTo("1"));
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
            FleetStore store = connect(SHORT, server().endpoint(), replica.endpoint());
            store.watchHead(listener);
            eventually(APPLIED_WITHIN, () -> write(store));
            awaitHead();
            assertThat(failure(connect(SHORT, replica.endpoint()).head()))
                    .startsWith("UNAVAILABLE: the store does not respond: postgresql: ");
            eventually(() -> assertThat(replica.sql("SELECT count(*) FROM lychgate.heads"))
                    .isEqualTo("1"));
            server().kill();
            replica.promote();
            eventually(APPLIED_WITHIN, () -> write(store));
            awaitHead();
        }
    }
}
