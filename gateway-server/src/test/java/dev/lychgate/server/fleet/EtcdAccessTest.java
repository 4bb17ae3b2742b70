package dev.lychgate.server.fleet;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.EtcdConfig;
import dev.lychgate.config.EtcdUser;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetStore;
import dev.lychgate.fleet.FleetStoreContract;
import dev.lychgate.server.etcd.EtcdClient;
import dev.lychgate.server.etcd.EtcdRange;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.testing.Certificates;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access to etcd: TLS with a client certificate, users with passwords, and their tokens. */
@Tag("slow")
class EtcdAccessTest {
    private static final String PASSWORD = "correct horse 9";

    @TempDir
    Path home = Path.of("");

    private static EtcdConfig config(
            EtcdCluster cluster,
            @Nullable String user,
            @Nullable String password,
            @Nullable String ca,
            @Nullable CertificateConfig certificate) {
        return new EtcdConfig(
                cluster.endpoints(),
                "/lychgate",
                user == null ? null : new EtcdUser(user, String.valueOf(password)),
                ca,
                certificate,
                // etcd takes a tenth of a second of CPU time for each password.
                user == null ? Duration.ofMillis(300) : Duration.ofSeconds(10));
    }

    private static EtcdConfig withTimeout(EtcdConfig config, Duration timeout) {
        return new EtcdConfig(
                config.endpoints(), config.prefix(), config.user(), config.ca(), config.certificate(), timeout);
    }

    private static String put(EtcdConfig config) throws Exception {
        return put(config, FleetHome.SPACE);
    }

    private static String put(EtcdConfig config, String space) throws Exception {
        FleetStore store = EtcdStore.open(config, space);
        try {
            return FleetHome.refusal(() -> FleetStoreContract.get(store.report("a", FleetStoreContract.bytes("x"))));
        } finally {
            store.close();
        }
    }

    @Test
    void usesTlsWithAClientCertificate() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), EtcdCluster.MISSING);
        Certificates authority = Certificates.authority("etcd");
        String ca = authority.writeCa(home, "ca.pem");
        CertificateConfig server = Certificates.pem(home, "server", authority.issue("127.0.0.1"));
        CertificateConfig ours = Certificates.pem(home, "ours", authority.issue("gateway"));
        Certificates other = Certificates.authority("other");
        String otherCa = other.writeCa(home, "other.pem");
        CertificateConfig theirs = Certificates.pem(home, "theirs", other.issue("gateway"));
        try (EtcdCluster cluster = EtcdCluster.startWithTls(
                "--cert-file",
                String.valueOf(server.chain()),
                "--key-file",
                String.valueOf(server.key()),
                "--trusted-ca-file",
                ca,
                "--client-cert-auth")) {
            EtcdConfig patient = withTimeout(config(cluster, null, null, ca, ours), Duration.ofSeconds(3));
            eventually(Duration.ofSeconds(60), () -> assertThat(put(patient)).isEqualTo("accepted"));

            // On a slow machine, the last attempt may not fail within its timeout.
            eventually(() -> assertThat(put(config(cluster, null, null, otherCa, ours)))
                    .startsWith("UNAVAILABLE: the store does not respond: etcd: https://127.0.0.1:")
                    .contains("TLS: "));
            assertThat(put(config(cluster, null, null, ca, null))).startsWith("UNAVAILABLE: ");
            assertThat(put(config(cluster, null, null, ca, theirs))).startsWith("UNAVAILABLE: ");
            assertThat(FleetHome.refusal(() -> EtcdStore.open(
                            config(
                                    cluster,
                                    null,
                                    null,
                                    home.resolve("missing.pem").toString(),
                                    null),
                            FleetHome.SPACE)))
                    .startsWith("REFUSED: fleet.store.etcd: ca: ");
        }
    }

    private static JsonValue call(EtcdClient client, String path, JsonObject body) throws Exception {
        return client.call(path, body).get(10, TimeUnit.SECONDS).json();
    }

    /** Creates the user root, a user with a role for one space, and switches authentication on. */
    private static void requirePasswords(EtcdCluster cluster) throws Exception {
        EtcdRange space = EtcdRange.of("/lychgate/" + FleetHome.SPACE + "/");
        try (EtcdClient client = new EtcdClient(cluster.config(), "test-etcd")) {
            call(
                    client,
                    "/v3/auth/user/add",
                    new JsonObject().with("name", "root").with("password", PASSWORD));
            call(client, "/v3/auth/role/add", new JsonObject().with("name", "root"));
            call(
                    client,
                    "/v3/auth/user/grant",
                    new JsonObject().with("user", "root").with("role", "root"));
            call(
                    client,
                    "/v3/auth/user/add",
                    new JsonObject().with("name", "gateway").with("password", PASSWORD));
            call(client, "/v3/auth/role/add", new JsonObject().with("name", "prod"));
            call(
                    client,
                    "/v3/auth/role/grant",
                    new JsonObject()
                            .with("name", "prod")
                            .with("perm", space.json().with("permType", "READWRITE")));
            call(
                    client,
                    "/v3/auth/user/grant",
                    new JsonObject().with("user", "gateway").with("role", "prod"));
            call(client, "/v3/auth/enable", new JsonObject());
        }
    }

    @Test
    void authenticatesAndRenewsItsToken() throws Exception {
        assumeTrue(EtcdCluster.isInstalled(), EtcdCluster.MISSING);
        try (EtcdCluster cluster = EtcdCluster.start(1)) {
            requirePasswords(cluster);
            EtcdConfig gateway = config(cluster, "gateway", PASSWORD, null, null);
            assertThat(gateway.toString()).doesNotContain(PASSWORD);
            assertThat(put(gateway)).isEqualTo("accepted");

            assertThat(put(cluster.config())).startsWith("UNAVAILABLE: the store refuses the request: etcd: ");
            assertThat(put(config(cluster, "gateway", "wrong", null, null)))
                    .startsWith("UNAVAILABLE: the store refuses the request: etcd: ")
                    .contains("authentication failed")
                    .doesNotContain("wrong");
            assertThat(put(gateway, "other"))
                    .startsWith("UNAVAILABLE: the store refuses the request: etcd: ")
                    .contains("permission denied");

            FleetStore store = EtcdStore.open(gateway, FleetHome.SPACE);
            List<Long> seen = new CopyOnWriteArrayList<>();
            List<String> failures = new CopyOnWriteArrayList<>();
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
            assertThat(FleetStoreContract.get(store.compareAndSetHead(0, FleetStoreContract.bytes("1"))))
                    .isTrue();
            eventually(() -> assertThat(seen).contains(1L));
            // A restart of etcd discards all tokens.
            cluster.signal(0, "KILL");
            cluster.restart(0);
            byte[] second = FleetStoreContract.bytes("2");
            eventually(() -> {
                if (!FleetStoreContract.get(store.compareAndSetHead(1, second))) {
                    // An earlier call may have been applied although etcd did not respond in time.
                    assertThat(FleetStoreContract.get(store.head(2))
                                    .orElseThrow()
                                    .bytes())
                            .isEqualTo(second);
                }
            });
            eventually(() -> assertThat(seen).contains(2L));
            // The expired token caused no refusal.
            assertThat(failures).allMatch(failure -> failure.startsWith("the store does not respond: "));
            store.close();
        }
    }
}
