package dev.lychgate.postgresql;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.fleet.FleetStore;
import dev.lychgate.fleet.FleetStoreContract;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store in a real server, with the values that a hostile writer leaves there. */
@Tag("slow")
class PostgresqlStoreTest extends FleetStoreContract {
    private static final AtomicInteger TESTS = new AtomicInteger();
    private static @Nullable PostgresqlServer started;

    private String schema = "";

    @BeforeAll
    static void startServer() throws Exception {
        assumeTrue(PostgresqlServer.isInstalled(), PostgresqlServer.MISSING);
        started = PostgresqlServer.start();
    }

    @AfterAll
    static void stopServer() throws Exception {
        PostgresqlServer last = started;
        if (last != null) {
            last.close();
        }
    }

    private static PostgresqlServer server() {
        PostgresqlServer running = started;
        if (running == null) {
            throw new AssertionError("not started");
        }
        return running;
    }

    @BeforeEach
    void createTables() throws Exception {
        schema = "test_" + TESTS.incrementAndGet();
        get(store().prepare());
    }

    @Override
    protected FleetStore connect() {
        return PostgresqlStore.open(
                StoreHome.settings(List.of(server().endpoint()), schema, Duration.ofSeconds(10)), SPACE);
    }

    private void sql(String statement) throws Exception {
        server().sql("SET search_path TO " + schema + "; " + statement);
    }

    private void insertHead(long epoch, String content) throws Exception {
        sql("INSERT INTO heads VALUES ('prod', " + epoch + ", " + content + ")");
    }

    @Test
    void preparesItsTablesOnlyOnce() throws Exception {
        get(store().compareAndSetHead(0, bytes("first")));
        get(store().prepare());
        assertThat(get(store().head())).isPresent();

        schema = "test_concurrent";
        List<CompletableFuture<Void>> concurrent =
                List.of(store().prepare(), store().prepare(), store().prepare(), store().prepare());
        for (CompletableFuture<Void> each : concurrent) {
            get(each);
        }
        assertThat(get(store().head())).isEmpty();
    }

    @Test
    void namesTheCommandThatCreatesMissingTables() throws Exception {
        schema = "missing";
        FleetStore store = store();
        String reason = "UNAVAILABLE: the store has no tables; lychgate fleet init creates the tables";
        assertThat(refusal(() -> get(store.head()))).isEqualTo(reason);
        assertThat(refusal(() -> get(store.archive("a".repeat(64))))).isEqualTo(reason);
        assertThat(refusal(() -> get(store.report("a", bytes("a"))))).isEqualTo(reason);
        StoreHome listener = new StoreHome();
        store.watchHead(listener);
        eventually(() -> assertThat(listener.failures).contains(reason));
        get(store.prepare());
        get(store.compareAndSetHead(0, bytes("first")));
        eventually(() -> assertThat(listener.seen).contains(1L));
    }

    @Test
    void refusesHeadsThatAreTooLargeOrHaveImpossibleEpochs() throws Exception {
        FleetStore store = store();
        StoreHome listener = new StoreHome();
        store.watchHead(listener);
        insertHead(1, "'\\x" + "00".repeat(9000) + "'");
        String reason = "REFUSED: the head of epoch 1 in the store is larger than 8192 bytes";
        assertThat(refusal(() -> get(store.head()))).isEqualTo(reason);
        assertThat(refusal(() -> get(store.head(1)))).isEqualTo(reason);
        eventually(() -> assertThat(listener.failures).contains(reason));

        sql("TRUNCATE heads");
        insertHead(-5, "'x'");
        assertThat(refusal(() -> get(store.head())))
                .isEqualTo("REFUSED: the store has a head with a malformed epoch: -5");
        sql("TRUNCATE heads");
        insertHead(Long.MAX_VALUE, "'x'");
        assertThat(get(store.head()).orElseThrow().epoch()).isEqualTo(Long.MAX_VALUE);
        assertThat(get(store.compareAndSetHead(Long.MAX_VALUE, bytes("next")))).isFalse();
    }

    @Test
    void aHeadOfALaterEpochPreventsAChange() throws Exception {
        FleetStore store = store();
        get(store.compareAndSetHead(0, bytes("first")));
        insertHead(7, "'forged'");
        assertThat(get(store.compareAndSetHead(1, bytes("second")))).isFalse();
        assertThat(get(store.head()).orElseThrow().epoch()).isEqualTo(7);
    }

    @Test
    void refusesDamagedArchivesAndRepairsThemWhenTheyArePushedAgain() throws Exception {
        String digest = "a".repeat(64);
        byte[] archive = new byte[2_500_000];
        new Random(2).nextBytes(archive);
        FleetStore store = store();
        get(store.putArchive(digest, archive));

        sql("UPDATE releases SET content = '\\x01' WHERE number = 1");
        assertThat(get(store.archive(digest))).hasSizeLessThan(archive.length);
        get(store.putArchive(digest, archive));
        assertThat(get(store.archive(digest))).isEqualTo(archive);

        sql("UPDATE releases SET content = set_byte(content, 9, 1 + get_byte(content, 9) % 2) WHERE number = 2");
        assertThat(get(store.archive(digest))).isNotEqualTo(archive);
        get(store.putArchive(digest, archive));
        assertThat(get(store.archive(digest))).isEqualTo(archive);

        sql("DELETE FROM releases WHERE number = 1");
        assertThat(refusal(() -> get(store.archive(digest))))
                .isEqualTo("MISSING: an archive in the store lacks a chunk");
        get(store.putArchive(digest, archive));
        sql("UPDATE releases SET number = number + 1000");
        assertThat(refusal(() -> get(store.archive(digest))))
                .isEqualTo("MISSING: an archive in the store lacks a chunk");
        get(store.putArchive(digest, archive));
        sql("UPDATE releases SET content = content || content || content WHERE number = 0");
        assertThat(refusal(() -> get(store.archive(digest))))
                .isEqualTo("REFUSED: a chunk of an archive in the store is larger than 1048576 bytes");
        get(store.putArchive(digest, archive));
        sql("INSERT INTO releases SELECT space, digest, generate_series(3, 80), ''::bytea FROM releases WHERE"
                + " number = 0");
        assertThat(refusal(() -> get(store.archive(digest))))
                .isEqualTo("REFUSED: an archive in the store is larger than 71303168 bytes");
        get(store.putArchive(digest, archive));
        assertThat(get(store.archive(digest))).isEqualTo(archive);
    }

    @Test
    void refusesAnArchiveThatIsTooLargeForTheMemoryWithoutReadingIt() throws Exception {
        sql("INSERT INTO releases SELECT 'prod', repeat('b', 64), n, convert_to(repeat('x', 1048576), 'UTF8')"
                + " FROM generate_series(0, 99) n");
        FleetStore store = store();
        assertThat(refusal(() -> get(store.archive("b".repeat(64)))))
                .isEqualTo("REFUSED: an archive in the store is larger than 71303168 bytes");
    }

    @Test
    void returnsTheLargestAndTheEmptyArchive() throws Exception {
        FleetStore store = store();
        byte[] largest = new byte[FleetStore.LARGEST_ARCHIVE];
        new Random(3).nextBytes(largest);
        get(store.putArchive("c".repeat(64), largest));
        assertThat(get(store.archive("c".repeat(64)))).isEqualTo(largest);
        get(store.putArchive("d".repeat(64), new byte[0]));
        assertThat(get(store.archive("d".repeat(64)))).isEmpty();
    }

    @Test
    void concurrentWritersOfOneArchiveLeaveOneCompleteArchive() throws Exception {
        String digest = "e".repeat(64);
        byte[] one = new byte[3 << 20];
        byte[] other = new byte[2 << 20];
        new Random(4).nextBytes(one);
        new Random(5).nextBytes(other);
        FleetStore first = store();
        FleetStore second = store();
        for (int i = 0; i < 10; i++) {
            CompletableFuture<Void> ours = first.putArchive(digest, one);
            CompletableFuture<Void> theirs = second.putArchive(digest, other);
            get(ours);
            get(theirs);
            assertThat(get(first.archive(digest))).isIn(one, other);
        }
    }

    @Test
    void omitsReportsThatNoNodeWrote() throws Exception {
        FleetStore store = store();
        get(store.report("a", bytes("a")));
        sql("INSERT INTO nodes VALUES ('prod', 'large', now(), convert_to(repeat('x', 100000), 'UTF8')),"
                + " ('prod', '..', now(), 'x'), ('prod', repeat('n', 100), now(), 'x'),"
                + " ('prod', 'old', now() - interval '2 days', 'x'), ('prod', 'ancient', '-infinity', 'x'),"
                + " ('prod', 'future', now() + interval '1 day', 'x'), ('prod', 'endless', 'infinity', 'x'),"
                + " ('other', 'other', now(), 'x')");
        List<FleetStore.StoredReport> reports = get(store.reports());
        assertThat(reports).extracting(FleetStore.StoredReport::node).containsExactly("a", "endless", "future");
        assertThat(reports.get(1).age()).isZero();
        assertThat(reports.get(2).age()).isZero();
    }

    @Test
    void theAgeOfAReportGrowsUntilTheNextReport() throws Exception {
        FleetStore store = store();
        get(store.report("a", bytes("1")));
        sql("UPDATE nodes SET reported = reported - interval '1 hour'");
        assertThat(get(store.reports()).get(0).age()).isGreaterThanOrEqualTo(Duration.ofHours(1));
        get(store.report("a", bytes("2")));
        assertThat(get(store.reports()).get(0).age()).isLessThan(Duration.ofHours(1));
    }

    @Test
    void aNodeDeletesReportsOfTheDayBefore() throws Exception {
        sql("INSERT INTO nodes VALUES ('prod', 'old', now() - interval '2 days', 'x')");
        get(store().report("a", bytes("a")));
        assertThat(server().sql("SELECT string_agg(node, ',') FROM " + schema + ".nodes"))
                .isEqualTo("a");
    }

    @Test
    void aWatchIgnoresForeignNotifications() throws Exception {
        FleetStore store = store();
        StoreHome listener = new StoreHome();
        store.watchHead(listener);
        get(store.compareAndSetHead(0, bytes("1")));
        eventually(() -> assertThat(listener.seen).contains(1L));
        for (int i = 0; i < 100; i++) {
            sql("SELECT pg_notify('lychgate_" + schema + "', 'other'), pg_notify('lychgate_" + schema
                    + "', repeat('x', 7000))");
            if (i % 10 == 0) {
                get(store.compareAndSetHead(get(store.head()).orElseThrow().epoch(), bytes("head " + i)));
            }
        }
        eventually(() -> assertThat(listener.seen).contains(11L));
        assertThat(listener.seen).isSorted();
        assertThat(listener.failures).isEmpty();
    }

    @Test
    void statementsDoNotUseFunctionsOfOtherSchemas() throws Exception {
        server().sql("CREATE SCHEMA IF NOT EXISTS postgres;"
                + " CREATE OR REPLACE FUNCTION postgres.pg_notify(text, text) RETURNS void LANGUAGE plpgsql"
                + " AS 'BEGIN RAISE EXCEPTION ''another function''; END';"
                + " ALTER ROLE postgres SET search_path TO postgres, pg_catalog");
        try {
            assertThat(get(store().compareAndSetHead(0, bytes("first")))).isTrue();
        } finally {
            server().sql("ALTER ROLE postgres RESET search_path");
        }
    }
}
