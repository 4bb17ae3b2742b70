package dev.lychgate.postgresql;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.config.CertificateConfig;
import dev.lychgate.fleet.FleetStore;
import dev.lychgate.fleet.FleetStoreContract;
import dev.lychgate.testing.Certificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access to PostgreSQL: TLS with verified certificates, passwords, and the rights of nodes and operators. */
@Tag("slow")
class PostgresqlAccessTest {
    private static final String PASSWORD = "correct horse 9";

    @TempDir
    Path home = Path.of("");

    private @Nullable PostgresqlServer started;

    @BeforeEach
    void requireServer() {
        assumeTrue(PostgresqlServer.isInstalled(), PostgresqlServer.MISSING);
    }

    @AfterEach
    void stop() throws Exception {
        if (started != null) {
            started.close();
        }
    }

    private PostgresqlServer start(String... options) throws Exception {
        PostgresqlServer server = PostgresqlServer.start(options);
        started = server;
        return server;
    }

    private PostgresqlSettings settings(
            String endpoint,
            String user,
            @Nullable String passwordFile,
            boolean tls,
            @Nullable String ca,
            @Nullable CertificateConfig certificate) {
        return new PostgresqlSettings(
                List.of(endpoint),
                "lychgate",
                "lychgate",
                user,
                null,
                passwordFile,
                tls,
                ca,
                certificate == null ? null : certificate.chain(),
                certificate == null ? null : certificate.key(),
                Duration.ofSeconds(2));
    }

    /** Opens a store whose operations succeed on a loaded machine, too. */
    private static FleetStore patient(PostgresqlSettings of) {
        PostgresqlSettings settings = new PostgresqlSettings(
                of.endpoints(),
                of.database(),
                of.schema(),
                of.user(),
                of.password(),
                of.passwordFile(),
                of.tls(),
                of.ca(),
                of.certificate(),
                of.key(),
                Duration.ofSeconds(10));
        return PostgresqlStore.open(settings, "prod");
    }

    private static String prepare(PostgresqlSettings settings) {
        FleetStore store = PostgresqlStore.open(settings, "prod");
        try {
            return FleetStoreContract.refusal(() -> FleetStoreContract.get(store.prepare()));
        } finally {
            store.close();
        }
    }

    @Test
    void verifiesTheCertificateOfTheServerAndPresentsItsOwn() throws Exception {
        Certificates authority = Certificates.authority("database");
        CertificateConfig own = Certificates.pem(home, "own", authority.issueTo("node", "node"));
        Certificates other = Certificates.authority("other");
        CertificateConfig theirs = Certificates.pem(home, "theirs", other.issueTo("node", "node"));
        String ca = authority.writeCa(home, "ca.pem");
        String otherCa = other.writeCa(home, "other.pem");
        PostgresqlServer server = start();
        CertificateConfig issued = Certificates.pem(home, "server", authority.issue("127.0.0.1"));
        String chain = server.file("server.pem", Files.readString(Path.of(String.valueOf(issued.chain()))));
        String key = server.file("server.key", Files.readString(Path.of(String.valueOf(issued.key()))));
        String trusted = server.file("ca.pem", Files.readString(Path.of(ca)));
        server.sql("ALTER SYSTEM SET ssl_cert_file = '" + chain + "'");
        server.sql("ALTER SYSTEM SET ssl_key_file = '" + key + "'");
        server.sql("ALTER SYSTEM SET ssl_ca_file = '" + trusted + "'");
        server.sql("ALTER SYSTEM SET ssl = on");
        server.sql("CREATE ROLE node LOGIN; GRANT CREATE ON DATABASE lychgate TO node");
        server.authenticate("hostssl all node 127.0.0.1/32 cert");

        eventually(() -> assertThat(prepare(settings(server.endpoint(), "node", null, true, ca, own)))
                .isEqualTo("accepted"));
        String named = "localhost:" + server.port();
        assertThat(prepare(settings(named, "node", null, true, ca, own)))
                .startsWith("UNAVAILABLE: the store does not respond: postgresql: " + named + ": ")
                .contains("localhost");
        assertThat(prepare(settings(server.endpoint(), "node", null, true, otherCa, own)))
                .startsWith("UNAVAILABLE: the store does not respond: postgresql: " + server.endpoint() + ": TLS: ");
        assertThat(prepare(settings(server.endpoint(), "node", null, true, null, own)))
                .startsWith("UNAVAILABLE: the store does not respond: postgresql: " + server.endpoint() + ": TLS: ");
        assertThat(prepare(settings(server.endpoint(), "node", null, true, ca, theirs)))
                .startsWith("UNAVAILABLE: ");
        assertThat(prepare(settings(server.endpoint(), "node", null, true, ca, null)))
                .startsWith("UNAVAILABLE: the store refuses the request: postgresql: ")
                .contains("(28000)");
        assertThat(prepare(settings(server.endpoint(), "node", null, false, null, null)))
                .startsWith("UNAVAILABLE: the store refuses the request: postgresql: ")
                .contains("(28000)");
    }

    @Test
    void neverContinuesWithoutTls() throws Exception {
        PostgresqlServer server = start();
        assertThat(prepare(settings(server.endpoint(), "postgres", null, true, null, null)))
                .isEqualTo("UNAVAILABLE: the store does not respond: postgresql: " + server.endpoint()
                        + ": The server does not support SSL.");
    }

    @Test
    void readsThePasswordFileForEachConnection() throws Exception {
        PostgresqlServer server = start();
        server.sql("CREATE ROLE node LOGIN PASSWORD '" + PASSWORD + "'; GRANT CREATE ON DATABASE lychgate TO node");
        server.authenticate("host all node 127.0.0.1/32 scram-sha-256");
        Path file = Files.writeString(home.resolve("password"), "another password\n");
        FleetStore store = patient(settings(server.endpoint(), "node", file.toString(), false, null, null));
        try {
            eventually(() -> assertThat(FleetStoreContract.refusal(() -> FleetStoreContract.get(store.prepare())))
                    .isEqualTo("UNAVAILABLE: the store refuses the request: postgresql: " + server.endpoint()
                            + ": password authentication failed for user \"node\" (28P01)"));
            Files.writeString(file, PASSWORD + "\n");
            FleetStoreContract.get(store.prepare());
            FleetStoreContract.get(store.compareAndSetHead(0, FleetStoreContract.bytes("1")));

            Files.delete(file);
            server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'node'");
            eventually(() -> assertThat(FleetStoreContract.refusal(() -> FleetStoreContract.get(store.head())))
                    .startsWith("UNAVAILABLE: fleet.store.postgresql.password-file: " + file));
        } finally {
            store.close();
        }
        assertThat(prepare(settings(server.endpoint(), "node", null, false, null, null)))
                .startsWith("UNAVAILABLE: the store ")
                .doesNotContain(PASSWORD);
    }

    /** The statements of docs/postgresql.md. */
    private static List<String> documentedRights() throws Exception {
        String page = Files.readString(Path.of("../../docs/postgresql.md"));
        return page.lines().filter(line -> line.startsWith("GRANT ")).toList();
    }

    @Test
    void nodesAndOperatorsNeedOnlyTheDocumentedRights() throws Exception {
        PostgresqlServer server = start();
        FleetStore owner = patient(settings(server.endpoint(), "postgres", null, false, null, null));
        FleetStore operator = patient(settings(server.endpoint(), "operators", null, false, null, null));
        FleetStore node = patient(settings(server.endpoint(), "nodes", null, false, null, null));
        try {
            FleetStoreContract.get(owner.prepare());
            server.sql("CREATE ROLE nodes LOGIN; CREATE ROLE operators LOGIN");
            List<String> rights = documentedRights();
            assertThat(rights).hasSizeGreaterThan(3);
            for (String each : rights) {
                server.sql(each);
            }

            byte[] text = FleetStoreContract.bytes("x");
            FleetStoreContract.get(operator.prepare());
            FleetStoreContract.get(operator.putArchive("a".repeat(64), text));
            FleetStoreContract.get(operator.putArchive("a".repeat(64), FleetStoreContract.bytes("other")));
            assertThat(FleetStoreContract.get(operator.compareAndSetHead(0, text)))
                    .isTrue();
            assertThat(FleetStoreContract.get(operator.reports())).isEmpty();

            assertThat(FleetStoreContract.get(node.head())).isPresent();
            FleetStoreContract.get(node.archive("a".repeat(64)));
            server.sql("INSERT INTO lychgate.nodes VALUES ('prod', 'old', now() - interval '2 days', 'x')");
            FleetStoreContract.get(node.report("a", text));
            FleetStoreContract.get(node.report("a", text));
            assertThat(server.sql("SELECT count(*) FROM lychgate.nodes")).isEqualTo("1");
            StoreHome listener = new StoreHome();
            node.watchHead(listener);
            eventually(() -> assertThat(listener.seen).contains(1L));

            assertThat(FleetStoreContract.refusal(() -> FleetStoreContract.get(node.compareAndSetHead(1, text))))
                    .isEqualTo("UNAVAILABLE: the store refuses the request: postgresql: " + server.endpoint()
                            + ": permission denied for table heads (42501)");
            assertThat(FleetStoreContract.refusal(() -> FleetStoreContract.get(node.putArchive("b".repeat(64), text))))
                    .contains("permission denied for table releases");
        } finally {
            owner.close();
            operator.close();
            node.close();
        }
        assertThat(FleetStoreContract.refusal(() -> FleetStoreContract.get(node.head())))
                .isEqualTo("UNAVAILABLE: the store is closed");
    }
}
