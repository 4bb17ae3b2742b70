package dev.lychgate.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TlsClient;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** API keys, passwords and client certificates in a gateway with the packed extension, on sockets; runs after packaging. */
@Tag("slow")
class CredentialsIT {
    private static final String ID = "spiffe://prod.example/ns/billing/sa/api";
    private static final String PAGE = "docs/credentials.md";

    @TempDir
    Path home = Path.of("");

    private static String config(String authenticate, String more) {
        return """
                listeners: [{ name: main, address: "127.0.0.1:0"%s }]
                extensions: { identity: }
                routes:
                  - id: api
                    authenticate: %s
                    respond: { status: 204 }
                """.formatted(more, authenticate);
    }

    /** Replaces a file in one step. */
    private void write(String file, String text) throws Exception {
        Path fresh = Files.writeString(home.resolve(file + ".new"), text);
        Files.move(fresh, home.resolve(file), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String line(String key, String fields) throws Exception {
        return ApiKeysTest.digest(key) + " " + fields + "\n";
    }

    private static String basic(String credentials) {
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8));
    }

    @Test
    void acceptsApiKeysOnSocketsAndForwardsNone() throws Exception {
        write("keys.txt", line(ApiKeysTest.KEY, "id=orders-1 owner=orders tier=gold"));
        List<String> forwarded = new CopyOnWriteArrayList<>();
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> {
                    forwarded.add(
                            request.target() + " " + request.value("x-client").orElse("-") + " "
                                    + request.value("x-tier").orElse("-") + " " + request.values("cookie"));
                    assertThat(request.toString()).doesNotContain(ApiKeysTest.KEY);
                    connection.send(Responses.ok("origin"));
                });
                PackedGateway gateway = PackedGateway.start(home, """
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        extensions: { identity: }
                        routes:
                          - id: api
                            authenticate:
                              any-of: [{ api-key: { header: x-api-key, cookie: key, query: api_key, file: keys.txt } }]
                              claims-to-headers: { sub: x-client, tier: x-tier }
                            upstream: origin
                        upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                        """.formatted(origin.port()))) {
            String key = ApiKeysTest.KEY;
            assertThat(gateway.get("/a", "X-API-Key: " + key, "X-Client: root", "X_Tier: root")
                            .status())
                    .isEqualTo(200);
            assertThat(gateway.get("/b", "x-api-key:\t" + key + " ").status())
                    .as("white space around a value")
                    .isEqualTo(200);
            assertThat(gateway.get("/c", "Cookie: a=b; key=" + key).status()).isEqualTo(200);
            assertThat(gateway.get("/d?a=b&api_key=" + key).status()).isEqualTo(200);
            List<String> accepted =
                    List.of("/a orders gold []", "/b orders gold []", "/c orders gold [a=b]", "/d?a=b orders gold []");
            assertThat(forwarded).containsExactlyElementsOf(accepted);

            assertThat(status(gateway.get("/"))).isEqualTo("401 ApiKey");
            assertThat(status(gateway.get("/", "X_API_Key: " + key))).isEqualTo("401 ApiKey");
            RawMessage refused = gateway.get("/", "X-API-Key: " + key.substring(1));
            assertThat(status(refused)).isEqualTo("401 ApiKey");
            assertThat(refused.body()).contains("the API key is not accepted").doesNotContain(key.substring(1));
            assertThat(status(gateway.get("/", "X-API-Key: " + key, "X-API-Key: " + key)))
                    .isEqualTo("400 ApiKey");
            assertThat(status(gateway.get("/?api_key=" + key, "X-API-Key: " + key)))
                    .isEqualTo("400 ApiKey");
            assertThat(gateway.get("/", "X-API-Key: " + key + "\0").status())
                    .as("NUL in a field")
                    .isEqualTo(400);
            assertThat(gateway.get("/", "X-API-Key: " + key + "\u0001").status())
                    .isEqualTo(400);
            assertThat(status(gateway.get("/", "X-API-Key: " + key + "\u00c3\u00a9")))
                    .isEqualTo("401 ApiKey");
            assertThat(status(gateway.get("/", "X-API-Key: " + "k".repeat(4_000))))
                    .isEqualTo("401 ApiKey");
            assertThat(forwarded).as("refused requests reach no origin").hasSize(accepted.size());
            assertThat(gateway.log()).doesNotContain(key);
        }
    }

    private static String status(RawMessage response) {
        return response.status() + " " + response.value("www-authenticate").orElse("-");
    }

    @Test
    void followsTheFileOfKeysAndKeepsTheLastGoodOne() throws Exception {
        String old = ApiKeysTest.KEY;
        String renewed = ApiKeysTest.OTHER;
        write("keys.txt", line(old, "id=orders-1 owner=orders"));
        // A rollout would let the removed key work for 99 % of the requests.
        String config = config("{ api-key: { file: keys.txt } }", "") + "rollout: { steps: [1%], hold: 10m }\n";
        try (PackedGateway gateway = PackedGateway.start(home, config)) {
            assertThat(gateway.get("/", "X-API-Key: " + old).status()).isEqualTo(204);
            assertThat(gateway.get("/", "X-API-Key: " + renewed).status()).isEqualTo(401);

            // Rotation: both keys are valid, then the old one is removed.
            write("keys.txt", line(old, "id=orders-1 owner=orders") + line(renewed, "id=orders-2 owner=orders"));
            PackedGateway.eventually(
                    () -> assertThat(gateway.get("/", "X-API-Key: " + renewed).status())
                            .isEqualTo(204));
            assertThat(gateway.get("/", "X-API-Key: " + old).status()).isEqualTo(204);
            write("keys.txt", line(renewed, "id=orders-2 owner=orders"));
            PackedGateway.eventually(() ->
                    assertThat(gateway.get("/", "X-API-Key: " + old).status()).isEqualTo(401));
            for (int i = 0; i < 20; i++) {
                assertThat(gateway.get("/", "X-API-Key: " + old).status())
                        .as("a removed key")
                        .isEqualTo(401);
            }
            String changed = "; changed secrets: file:" + home.resolve("keys.txt") + ";";
            PackedGateway.eventually(() -> assertThat(gateway.log()).contains(changed));

            // A malformed line refuses the whole file.
            write("keys.txt", line(old, "id=orders-1 owner=orders") + old + " id=orders-3 owner=orders\n");
            PackedGateway.eventually(
                    () -> assertThat(gateway.log()).contains("keys.txt: line 2 (expected: sha256: and"));
            assertThat(gateway.log()).doesNotContain(old);
            assertThat(gateway.get("/", "X-API-Key: " + old).status()).isEqualTo(401);
            assertThat(gateway.get("/", "X-API-Key: " + renewed).status()).isEqualTo(204);

            // A link takes the place of the file, and then leads elsewhere.
            Path mounted = Files.createDirectories(home.resolve("mounted"));
            Files.writeString(mounted.resolve("first"), line(old, "id=orders-1 owner=orders"));
            Files.writeString(mounted.resolve("second"), line(renewed, "id=orders-2 owner=orders"));
            link(mounted.resolve("first"));
            PackedGateway.eventually(() ->
                    assertThat(gateway.get("/", "X-API-Key: " + old).status()).isEqualTo(204));
            link(mounted.resolve("second"));
            PackedGateway.eventually(() ->
                    assertThat(gateway.get("/", "X-API-Key: " + old).status()).isEqualTo(401));
            assertThat(gateway.get("/", "X-API-Key: " + renewed).status()).isEqualTo(204);
        }
    }

    private void link(Path target) throws Exception {
        Path fresh = Files.createSymbolicLink(home.resolve("keys.txt.new"), target);
        Files.move(
                fresh, home.resolve("keys.txt"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void verifiesPasswordsByBothAlgorithmsOnSockets() throws Exception {
        write("users", "alice:" + PasswordsTest.BCRYPT + "\nbob:" + PasswordsTest.ARGON2ID + " tier=gold\n");
        String challenge = "Basic realm=\"Billing\", charset=\"UTF-8\"";
        try (PackedGateway gateway =
                PackedGateway.start(home, config("{ basic: { file: users, realm: Billing } }", ""))) {
            // The first hash may take longer than a filter may run, on a machine that is busy otherwise.
            PackedGateway.eventually(() -> assertThat(gateway.get("/", basic("bob:" + PasswordsTest.PASSWORD))
                            .status())
                    .isEqualTo(204));
            PackedGateway.eventually(() -> assertThat(gateway.get("/", basic("alice:" + PasswordsTest.PASSWORD))
                            .status())
                    .isEqualTo(204));
            for (int i = 0; i < 3; i++) {
                assertThat(gateway.get("/", basic("alice:" + PasswordsTest.PASSWORD))
                                .status())
                        .isEqualTo(204);
                assertThat(gateway.get("/", basic("bob:" + PasswordsTest.PASSWORD))
                                .status())
                        .isEqualTo(204);
            }
            for (String credentials : List.of("alice:wrong", "mallory:wrong", "bob:", ":")) {
                RawMessage refused = gateway.get("/", basic(credentials));
                assertThat(status(refused)).isEqualTo("401 " + challenge);
                assertThat(refused.body())
                        .as("the same for known and unknown users")
                        .contains("the credentials are not accepted");
            }
            assertThat(status(gateway.get("/"))).isEqualTo("401 " + challenge);
            assertThat(status(gateway.get("/", "Authorization: Basic !"))).isEqualTo("400 " + challenge);
            assertThat(status(gateway.get("/", basic("alice:" + PasswordsTest.PASSWORD + "\0"))))
                    .isEqualTo("400 " + challenge);
            assertThat(gateway.log()).doesNotContain(PasswordsTest.PASSWORD);

            // A changed password is not accepted because of a stored verdict.
            write("users", "bob:" + PasswordsTest.ARGON2ID + "\n");
            PackedGateway.eventually(() -> assertThat(gateway.get("/", basic("alice:" + PasswordsTest.PASSWORD))
                            .status())
                    .isEqualTo(401));
            assertThat(gateway.get("/", basic("bob:" + PasswordsTest.PASSWORD)).status())
                    .isEqualTo(204);
        }
    }

    private static X509Bundle issue(Certificates authority, boolean signs, String... uris) throws Exception {
        CertificateBuilder builder = new CertificateBuilder().ecp256().subject("O=SPIRE");
        for (String uri : uris) {
            builder.addSanUriName(uri);
        }
        builder.setKeyUsage(
                true,
                signs
                        ? new CertificateBuilder.KeyUsage[] {
                            CertificateBuilder.KeyUsage.digitalSignature, CertificateBuilder.KeyUsage.keyCertSign
                        }
                        : new CertificateBuilder.KeyUsage[] {CertificateBuilder.KeyUsage.digitalSignature});
        return builder.buildIssuedBy(authority.root());
    }

    @Test
    void takesTheSpiffeIdOfAClientCertificate() throws Exception {
        Certificates authority = Certificates.authority("prod");
        authority.writeCa(home, "ca.pem");
        Certificates.pem(home, "server", authority.issue("localhost"));
        String tls = """
                , tls: { certificates: [{ chain: server.pem, key: server.key }], client-auth: optional, client-ca: ca.pem }""";
        String authenticate =
                "{ client-certificate: { subject: spiffe-id, trust-domains: [prod.example], allow: [\"spiffe://prod.example/ns/billing/**\"] } }";
        try (PackedGateway gateway = PackedGateway.start(home, config(authenticate, tls))) {
            assertThat(get(gateway, authority, issue(authority, false, ID)).status())
                    .isEqualTo(204);
            assertThat(get(gateway, authority, null).status()).isEqualTo(401);
            assertThat(get(gateway, authority, null, "X-Forwarded-Client-Cert: URI=" + ID, "Client-Cert: :AA==:")
                            .status())
                    .as("fields of proxies are not read")
                    .isEqualTo(401);
            refused(gateway, authority, issue(authority, false), "needs exactly one URI");
            refused(gateway, authority, issue(authority, false, ID, ID + "2"), "needs exactly one URI");
            refused(gateway, authority, issue(authority, true, ID), "belongs to a certificate authority");
            refused(
                    gateway,
                    authority,
                    issue(authority, false, "spiffe://prod.example"),
                    "is not the SPIFFE id of a workload");
            refused(
                    gateway,
                    authority,
                    issue(authority, false, "spiffe://other.example/ns/billing/a"),
                    "The trust domain");
            refused(gateway, authority, issue(authority, false, "spiffe://prod.example/ns/orders/a"), "The SPIFFE id");
        }
    }

    private static void refused(PackedGateway gateway, Certificates authority, X509Bundle certificate, String reason)
            throws Exception {
        RawMessage response = get(gateway, authority, certificate);
        assertThat(response.status()).as(response.body()).isEqualTo(403);
        assertThat(response.body()).containsIgnoringCase(reason);
    }

    private static RawMessage get(
            PackedGateway gateway, Certificates authority, @Nullable X509Bundle certificate, String... fields)
            throws Exception {
        try (TlsClient client = TlsClient.connect(gateway.address(), authority.context(certificate), "localhost")) {
            return client.raw().send(PackedGateway.request("/", fields)).readResponse();
        }
    }

    /** The commands and files of the page, in their order. */
    @Test
    void theCommandsAndFilesOfThePageWork() throws Exception {
        String page = Files.readString(PackedGateway.ROOT.resolve(PAGE));
        List<String> files = new ArrayList<>();
        Certificates authority = Certificates.authority("prod");
        Files.createDirectories(home.resolve("tls"));
        authority.writeCa(home.resolve("tls"), "prod-ca.pem");
        Certificates.pem(home.resolve("tls"), "gateway", authority.issue("localhost"));
        String key = "";
        Matcher blocks = Pattern.compile("(?ms)^```([^\\n`]*)\\n(.*?)^```$").matcher(page);
        for (MatchResult block : blocks.results().toList()) {
            String language = block.group(1);
            if (language.startsWith("yaml ")) {
                files.add(language.substring(5));
                Files.writeString(home.resolve(language.substring(5)), block.group(2));
            } else if (language.equals("sh")) {
                String output = PackedGateway.shell(home, block.group(2));
                assertThat(output)
                        .as(block.group(2))
                        .satisfiesAnyOf(
                                all -> assertThat(all).isEqualTo("ok\n"),
                                all -> assertThat(all).matches("(?s)lgk_[\\w-]{43}\\n.*"));
                key = output.startsWith("lgk_") && key.isEmpty() ? output.strip() : key;
            } else if (block.group(2).contains("$2y$")) {
                write("users", block.group(2));
            } else {
                assertThat(block.group(2)).as("an excerpt of keys.txt").startsWith("sha256:");
            }
        }
        assertThat(files).containsExactly("keys.yml", "users.yml", "workloads.yml");

        String keys = Files.readString(home.resolve("keys.yml")).replace("127.0.0.1:8080", "127.0.0.1:0");
        try (PackedGateway gateway =
                PackedGateway.start(home, keys.replace("upstream: orders", "respond: { status: 204 }"))) {
            assertThat(gateway.get("/orders/1", "X-API-Key: " + key).status()).isEqualTo(204);
            assertThat(gateway.get("/orders/1").status()).isEqualTo(401);
        }
        String users = Files.readString(home.resolve("users.yml")).replace("127.0.0.1:8080", "127.0.0.1:0");
        try (PackedGateway gateway =
                PackedGateway.start(home, users.replace("upstream: reports", "respond: { status: 204 }"))) {
            PackedGateway.eventually(() -> assertThat(
                            gateway.get("/reports/1", basic("alice:" + PasswordsTest.PASSWORD))
                                    .status())
                    .isEqualTo(204));
            PackedGateway.eventually(() -> assertThat(gateway.get("/reports/1", basic("bob:" + PasswordsTest.PASSWORD))
                            .status())
                    .isEqualTo(204));
        }
    }

    @Test
    void checkNamesTheFileAndTheLine() throws Exception {
        write("keys.txt", "# keys\nsecret id=a owner=b\n");
        Files.writeString(home.resolve("gateway.yml"), config("{ api-key: { file: keys.txt } }", ""));
        assertThat(PackedGateway.lychgate(home, "check", "--config", "gateway.yml"))
                .startsWith("gateway.yml:5:")
                .contains("routes[0].authenticate.")
                .contains(
                        "api-key.file: keys.txt: line 2 (expected: sha256: and the digest of a key in 64 hexadecimal digits)")
                .doesNotContain("secret");
        Files.writeString(home.resolve("gateway.yml"), config("{ basic: { file: none } }", ""));
        assertThat(PackedGateway.lychgate(home, "check", "--config", "gateway.yml"))
                .contains("basic.file: none (expected: a file that exists)");
    }

    @Test
    void theLibraryForPasswordsIsInTheJarWithoutItsSignature() throws Exception {
        try (JarFile jar = new JarFile(PackedGateway.ROOT
                .resolve("extensions/identity/target/identity.jar")
                .toFile())) {
            assertThat(jar.getEntry("org/bouncycastle/crypto/generators/Argon2BytesGenerator.class"))
                    .isNotNull();
            assertThat(jar.getEntry("META-INF/LICENSE-bouncycastle")).isNotNull();
            assertThat(jar.stream().map(entry -> entry.getName()))
                    .noneMatch(entry -> entry.matches("META-INF/.*\\.(SF|DSA|RSA)"));
        }
    }
}
