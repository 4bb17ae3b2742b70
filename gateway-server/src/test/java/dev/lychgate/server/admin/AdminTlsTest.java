package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.OperatorConfig;
import dev.lychgate.config.OperatorConfig.Role;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.TlsClient;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admin listener behind TLS, and operators with certificates. */
@Tag("slow")
class AdminTlsTest {
    private static final String TOKEN = "correct-horse-battery";
    private static final AdminConfig LOCAL = new AdminConfig(new BindAddress("127.0.0.1", 0));

    private final FakeSource source = new FakeSource();
    private final Certificates house = Certificates.authority("House");
    private final Certificates staff = Certificates.authority("Staff");

    @TempDir
    Path home = Path.of("");

    private CertificateConfig site(String name) {
        return Certificates.pem(home, name, house.issue("localhost", "127.0.0.1"));
    }

    private int get(AdminServer server, @Nullable X509Bundle own, String path, String field) throws IOException {
        return ask(server, own, "GET " + path, field);
    }

    private int ask(AdminServer server, @Nullable X509Bundle own, String request, String field) throws IOException {
        try (TlsClient client = TlsClient.connect(server.address(), house.context(own), null)) {
            return client.raw()
                    .send(request + " HTTP/1.1\r\nHost: localhost\r\n" + field + "\r\n\r\n")
                    .readResponse()
                    .status();
        }
    }

    @Test
    void worksWithAToken() throws Exception {
        AdminConfig config = LOCAL.withToken(TOKEN).withTls(site("site"), null);
        try (AdminServer server = AdminServer.start(config, source)) {
            assertThat(get(server, null, "/version", "Authorization: Bearer " + TOKEN))
                    .isEqualTo(200);
            assertThat(get(server, null, "/version", "x: y")).isEqualTo(401);
            assertThat(get(server, null, "/health", "x: y")).isEqualTo(200);
        }
    }

    @Test
    void manyRequestsPassOnOneConnection() throws Exception {
        try (AdminServer server = AdminServer.start(LOCAL.withTls(site("site"), null), source);
                TlsClient client = TlsClient.connect(server.address(), house.context(null), null)) {
            for (int i = 0; i < 50; i++) {
                RawMessage answer = client.raw()
                        .send("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        .readResponse();
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.body()).endsWith("}\n");
            }
        }
    }

    @Test
    void aCertificateReplacesAToken() throws Exception {
        AdminConfig config = LOCAL.withTls(site("site"), staff.writeCa(home, "staff.pem"));
        try (AdminServer server = AdminServer.start(config, source)) {
            assertThat(get(server, staff.issue("night-shift"), "/version", "x: y"))
                    .isEqualTo(200);
            assertThat(get(server, null, "/version", "x: y")).as("without one").isEqualTo(401);
            assertThat(get(server, null, "/version", "Authorization: Bearer " + TOKEN))
                    .as("a token without a configured one")
                    .isEqualTo(401);
            assertThat(get(server, null, "/ready", "x: y")).isEqualTo(200);
            assertThat(get(server, house.issue("stranger"), "/version", "x: y"))
                    .as("one of an untrusted authority, which the client does not send")
                    .isEqualTo(401);
        }
    }

    @Test
    void requestsWithoutEitherAreRejectedWithBothOptions() throws Exception {
        AdminConfig config = LOCAL.withToken(TOKEN).withTls(site("site"), staff.writeCa(home, "staff.pem"));
        try (AdminServer server = AdminServer.start(config, source);
                TlsClient client = TlsClient.connect(server.address(), house.context(null), null)) {
            RawMessage answer = client.raw()
                    .send("GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .readResponse();
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.body()).contains("Authorization: Bearer and the token, or a certificate");
        }
    }

    @Test
    void aCertificateHasTheRolesOfItsOperator() throws Exception {
        AdminConfig config = LOCAL.withToken(TOKEN)
                .withTls(site("site"), staff.writeCa(home, "staff.pem"))
                .withOperators(List.of(
                        certified("CN=night-shift", Role.OPERATOR),
                        certified("CN=audit", Role.VIEWER),
                        certified("backup.example", Role.OPERATOR)));
        try (AdminServer server = AdminServer.start(config, source)) {
            String intended = "x-lychgate-admin: x\r\ncontent-length: 0";
            assertThat(ask(server, staff.issue("night-shift"), "POST /reload", intended))
                    .as("it passes: there is no gateway")
                    .isEqualTo(503);
            assertThat(ask(server, staff.issueTo("any", "backup.example"), "POST /reload", intended))
                    .as("by an alternative name")
                    .isEqualTo(503);
            assertThat(ask(server, staff.issue("audit"), "POST /reload", intended))
                    .isEqualTo(403);
            assertThat(ask(server, staff.issue("audit"), "GET /version", "x: y"))
                    .isEqualTo(200);
            assertThat(ask(server, staff.issue("stranger"), "GET /version", "x: y"))
                    .as("a certificate of the authority that no operator has")
                    .isEqualTo(403);
            assertThat(ask(server, staff.issue("stranger"), "GET /version", "authorization: Bearer " + TOKEN))
                    .as("the token decides if the certificate belongs to no operator")
                    .isEqualTo(200);
            assertThat(ask(server, staff.issue("stranger"), "GET /version", "authorization: Bearer wrong"))
                    .isEqualTo(401);
            assertThat(ask(server, staff.issue("stranger"), "GET /health", "x: y"))
                    .isEqualTo(200);
        }
    }

    private static OperatorConfig certified(String subject, Role role) {
        return new OperatorConfig(
                subject.substring("CN=".length()),
                List.of(role),
                null,
                null,
                subject,
                List.of(),
                List.of(),
                List.of(),
                Map.of());
    }

    @Test
    void anotherAuthorityTakesEffectWithTheNextGeneration() throws Exception {
        CertificateConfig site = site("site");
        AdminConfig before = LOCAL.withTls(site, staff.writeCa(home, "staff.pem"));
        Certificates others = Certificates.authority("Others");
        AdminConfig after = LOCAL.withTls(site, others.writeCa(home, "others.pem"));
        X509Bundle operator = staff.issue("night-shift");
        try (AdminServer server = AdminServer.start(before, source);
                TlsClient old = TlsClient.connect(server.address(), house.context(operator), null)) {
            old.raw().send("GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(old.raw().readResponse().status()).isEqualTo(200);

            server.use(AdminAccess.of(after, server.access()));

            old.raw().send("GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(old.raw().readResponse().status())
                    .as("on a connection that was opened before")
                    .isEqualTo(401);
            assertThat(get(server, others.issue("day-shift"), "/version", "x: y"))
                    .isEqualTo(200);
        }
    }

    @Test
    void invalidFilesAreRefusedWithTheirKeys() {
        AdminConfig none = LOCAL.withTls(CertificateConfig.pem("none.pem", "none.key"), null);
        assertThatThrownBy(() -> AdminServer.start(none, source))
                .hasMessageStartingWith("admin.tls.chain: none.pem: there is no such file");
        AdminConfig noCa =
                LOCAL.withTls(site("site"), home.resolve("none-ca.pem").toString());
        assertThatThrownBy(() -> AdminServer.start(noCa, source)).hasMessageStartingWith("admin.tls.client-ca: ");
    }
}
