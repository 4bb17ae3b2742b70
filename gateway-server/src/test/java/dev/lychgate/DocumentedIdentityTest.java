package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.server.extensions.ExtensionJars;
import dev.lychgate.server.extensions.InstalledExtensions;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.FaultyConfigException;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sections authenticate and authorize of files, with an extension that accepts a header field. */
@Tag("slow")
class DocumentedIdentityTest {
    private static final Path PAGE = Path.of("../docs/identity.md");

    @TempDir
    Path home = Path.of("");

    private final ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> connection.send(
            Responses.of(200, "x", "x-seen: " + request.value("x-sender").orElse("none"))));

    private @Nullable FileGateway<Lychgate> running;

    @BeforeEach
    void install() throws Exception {
        Path directory = Files.createDirectories(home.resolve("extensions"));
        ExtensionJars.guards("field").write(directory.resolve("field.jar"));
        System.setProperty(InstalledExtensions.DIRECTORY, directory.toString());
    }

    @AfterEach
    void end() {
        System.clearProperty(InstalledExtensions.DIRECTORY);
        if (running != null) {
            running.gateway().close();
            running.close();
        }
        origin.close();
    }

    private FileGateway<Lychgate> start(String yaml) throws Exception {
        running = FileGateway.start(
                Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin: { address: "127.0.0.1:0" }
                extensions: { field: {} }
                upstreams: { api: { endpoints: ["http://127.0.0.1:%d"] } }
                """.formatted(origin.port()) + yaml),
                name -> null,
                Lychgate::start);
        return running;
    }

    private static RawMessage get(int port, String target, String... fields) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n");
            for (String field : fields) {
                request.append(field).append("\r\n");
            }
            return client.send(request + "\r\n").readResponse();
        }
    }

    private static RawMessage send(FileGateway<Lychgate> gateway, String target, String... fields) throws Exception {
        return get(gateway.gateway().port("main"), target, fields);
    }

    private static String admin(FileGateway<Lychgate> gateway, String target) throws Exception {
        return get(gateway.gateway().adminPort(), target).body();
    }

    @Test
    void aSectionMayNameItsOnlyAuthenticatorAndARuleIsAText() throws Exception {
        FileGateway<Lychgate> gateway = start("""
                authenticate: { field-user: { header: x-key }, claims-to-headers: { sub: x-sender } }
                routes:
                  - { id: own, match: { path: "/own" }, upstream: api, authorize: alice }
                  - { id: api, upstream: api }
                """);
        assertThat(send(gateway, "/").status()).isEqualTo(401);
        assertThat(send(gateway, "/").value("www-authenticate")).contains("Field name=x-key");
        assertThat(send(gateway, "/", "x-key: bob", "x-sender: root").value("x-seen"))
                .contains("bob");
        assertThat(send(gateway, "/own", "x-key: alice").status()).isEqualTo(200);
        assertThat(send(gateway, "/own", "x-key: bob").body()).contains("forbidden");

        assertThat(admin(gateway, "/config"))
                .contains("\"authenticate\":{\"optional\":false,\"any-of\":[{\"field-user\":{\"header\":\"x-key\"}}],"
                        + "\"claims-to-headers\":{\"sub\":\"x-sender\"}}")
                .contains("\"authorize\":[{\"cel\":{\"rule\":\"alice\"}}]");
        assertThat(admin(gateway, "/explain?url=/own"))
                .contains("\"name\":\"authenticate\"")
                .contains("\"remark\":\"field-user\"")
                .contains("\"name\":\"cel\"");
        assertThat(admin(gateway, "/metrics"))
                .contains("lychgate_authentications_total{authenticator=\"field-user\",result=\"accepted\"} 3")
                .contains("lychgate_authentications_total{authenticator=\"none\",result=\"missing\"} 2");
        assertThat(admin(gateway, "/filters"))
                .contains("\"name\":\"authenticate\"")
                .contains("\"name\":\"cel\"");
        int port = gateway.gateway().adminPort();
        try (RawClient operator = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            RawMessage refused = operator.send("POST /filters?phase=inbound&name=authenticate&state=disabled&force=true"
                            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Lychgate-Admin: 1\r\nContent-Length: 0\r\n\r\n")
                    .readResponse();
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.body())
                    .contains(
                            "this filter authenticates or authorizes requests, so it can't be disabled here; change the"
                                    + " key authenticate or authorize in the configuration");
        }
    }

    @Test
    void routesMatchByClaimsAndTheLogHasTheSubject() throws Exception {
        FileGateway<Lychgate> gateway = start("""
                access-log: { format: json, file: %s }
                authenticate: { optional: true, field-user: {} }
                routes:
                  - { id: team, match: { claims: { team: alices } }, upstream: api }
                  - { id: rest, respond: { status: 204 } }
                """.formatted(home.resolve("access.log")));
        assertThat(send(gateway, "/", "x-user: alice").status()).isEqualTo(200);
        assertThat(send(gateway, "/", "x-user: bob").status()).isEqualTo(204);
        assertThat(send(gateway, "/").status()).isEqualTo(204);
        Eventually.eventually(() -> assertThat(Files.readString(home.resolve("access.log")))
                .contains("\"subject\":\"alice\"")
                .contains("\"subject\":\"bob\""));
    }

    @Test
    void theFilterOfThePageRunsWithTheIdentity() throws Exception {
        Matcher filter = Pattern.compile("```groovy\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        assertThat(filter.find()).isTrue();
        Path directory = Files.createDirectories(home.resolve("filters/inbound"));
        Files.writeString(directory.resolve("OwnData.groovy"), filter.group(1));
        FileGateway<Lychgate> gateway = start("""
                filters: { directory: filters }
                authenticate: { optional: true, field-user: {} }
                routes: [{ id: api, upstream: api }]
                """);
        assertThat(send(gateway, "/users/alice", "x-user: alice").status()).isEqualTo(200);
        assertThat(send(gateway, "/users/alice", "x-user: bob").status()).isEqualTo(403);
        assertThat(send(gateway, "/users/alice").status()).isEqualTo(403);
    }

    @Test
    void aNewGenerationClosesTheAuthenticatorsOfTheOldOne() throws Exception {
        FileGateway<Lychgate> gateway = start("""
                authenticate: { field-user: { header: x-old } }
                routes: [{ id: api, upstream: api }]
                """);
        assertThat(send(gateway, "/", "x-old: alice").status()).isEqualTo(200);
        Path file = home.resolve("gateway.yml");
        Files.writeString(file, Files.readString(file).replace("x-old", "x-new"));
        Eventually.eventually(
                () -> assertThat(send(gateway, "/", "x-new: alice").status()).isEqualTo(200));
        assertThat(send(gateway, "/", "x-old: alice").status()).isEqualTo(401);
        Eventually.eventually(
                () -> assertThat(System.getProperty("field.closed")).isEqualTo("x-old"));
    }

    private static String fault(String yaml) {
        String file = """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                extensions: { field: {} }
                upstreams: { api: { endpoints: ["http://127.0.0.1:1"] } }
                """ + yaml;
        try {
            new ConfigReader(name -> null).read("gateway.yml", file);
            return "none";
        } catch (FaultyConfigException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void refusesSectionsWithLineAndRemedy() {
        assertThat(fault("authenticate: { any-of: [] }"))
                .contains("gateway.yml:4:")
                .contains("no authenticator (expected: at least one authenticator, such as jwt: { ... })");
        assertThat(fault("authenticate: { optinal: true, field-user: {} }"))
                .contains("authenticate.optinal: unknown key, did you mean 'optional'?");
        assertThat(fault("authenticate: { field-usr: {} }"))
                .contains(
                        "gateway.yml:4:17: authenticate.field-usr: field-usr (expected: an authenticator; did you mean"
                                + " 'field-user'?)");
        assertThat(fault("authenticate: { field-user: { hedder: x } }"))
                .contains("authenticate.field-user.hedder: unknown key, did you mean 'header'?");
        assertThat(fault("authenticate: { field-user: {}, any-of: [field-user] }"))
                .contains("authenticate.any-of: set together with field-user");
        assertThat(fault("authorize: { rego: {} }")).contains("one of the authorizers cel");
        assertThat(fault("authenticate: { field-user: {}, claims-to-headers: { sub: content-length } }"))
                .contains("a header field that the gateway itself does not write");
        assertThat(fault("authenticate: { field-user: {}, claims-to-headers: { sub: Authorization } }"))
                .contains("a header field that does not contain credentials");
        assertThat(fault("authenticate: { field-user: {}, claims-to-headers: { sub: x-user, team: X_User } }"))
                .contains("the name of a header field that contains no other claim");
    }

    /** The message of the page, of a file in which the route is in line 9. */
    @Test
    void refusesClaimsWhereTheSenderIsUnknown() throws Exception {
        String route = "\n\n\n\nroutes:\n  - { id: a, upstream: api, match: { claims: { sub: alice } } }\n";
        assertThat(fault(route))
                .contains("routes[0].match.claims: the claims of the sender are unknown when routes are matched"
                        + " (expected: a section authenticate at the top level, or on the listeners [main], from which the"
                        + " route gets requests)");
        String message = Files.readString(PAGE);
        assertThat(message)
                .contains(fault(route)
                        .replaceFirst("gateway\\.yml:\\d+:\\d+: ", "")
                        .strip());
        assertThat(fault(route + "authenticate: { field-user: {} }")).isEqualTo("none");
        String limits = "rate-limits: { teams: { key: 'claim:team', limit: 1/s } }\n";
        assertThat(fault(limits + "routes: [{ id: a, upstream: api, rate-limit: teams }]"))
                .contains(
                        "routes[0].rate-limit: teams (expected: a section authenticate on the route, on its listeners or "
                                + "at the top level, because the limit counts by a claim)");
        assertThat(fault(limits
                        + "routes: [{ id: a, upstream: api, rate-limit: teams, authenticate: { field-user: {} } }]"))
                .isEqualTo("none");
        assertThat(fault(limits.replace("rate-limits", "authenticate: { field-user: {} }\nrate-limits")
                                + "routes: [{ id: a, upstream: api }]\n")
                        .replace("none", ""))
                .isEmpty();
    }

    @Test
    void namesTheExtensionThatAnAuthenticatorNeeds() {
        String file = """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                authenticate: { field-user: {} }
                """;
        assertThatThrownBy(() -> new ConfigReader(name -> null).read("gateway.yml", file))
                .hasMessageContaining(
                        "gateway.yml:2:17: authenticate.field-user: field-user (expected: authenticator of the"
                                + " extension field, which is not in use; add extensions: { field: {} })");
    }

    @Test
    void refusesValuesThatTheAuthenticatorRefuses() throws Exception {
        assertThatThrownBy(() -> start("authenticate: { field-user: { header: x-refused } }\nroutes: []\n"))
                .hasStackTraceContaining("header: x-refused (expected: another field)")
                .hasStackTraceContaining("gateway.yml:5:");
    }
}
