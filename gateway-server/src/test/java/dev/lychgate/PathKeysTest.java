package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.server.recording.RecordingKey;
import dev.lychgate.server.recording.RecordingReader;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.OpenSslClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TlsClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every key with a path as its value, each with a file of the usual tool: openssl, keytool, or an editor. */
@Tag("slow")
class PathKeysTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    /** Files as operators create them: a chain, stores, a bundle of authorities with text around, an OCSP response, a token. */
    private static final String TOOLS = """
            set -e
            issue() { # NAME: a certificate of the authority, followed by that
              openssl req -new -key "$1.key" -subj "/CN=$1.test" |
                openssl x509 -req -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -out "$1.leaf" -extfile san
              cat "$1.leaf" ca.pem > "$1.pem"
            }
            printf 'subjectAltName=DNS:site.test,DNS:localhost,IP:127.0.0.1\\n' > san
            openssl ecparam -name prime256v1 -genkey -noout -out ca.key
            openssl req -x509 -new -key ca.key -subj '/CN=Test Authority' -days 30 -out ca.pem
            openssl req -x509 -newkey rsa:2048 -nodes -keyout other.key -subj '/CN=Other Authority' -days 30 -out other.pem
            { printf '# Authorities of this house\\n\\n'; openssl x509 -in other.pem -text; echo; openssl x509 -in ca.pem -text; } > bundle.pem
            openssl genrsa -out site.key 2048
            issue site
            openssl ecparam -name prime256v1 -genkey -noout -out us.key
            issue us
            openssl pkcs12 -export -in us.pem -inkey us.key -passout pass:changeit -out us.p12
            openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out origin.key
            issue origin
            openssl pkcs12 -export -in origin.pem -inkey origin.key -passout pass:changeit -out origin.p12
            keytool -genkeypair -alias admin -keyalg EC -groupname secp256r1 -dname CN=admin.test -ext SAN=dns:localhost,ip:127.0.0.1 \\
              -validity 30 -keystore admin.p12 -storetype PKCS12 -storepass changeit
            keytool -exportcert -rfc -alias admin -keystore admin.p12 -storepass changeit -file admin.crt
            openssl ocsp -issuer ca.pem -cert site.leaf -no_nonce -reqout site.request
            serial=$(openssl x509 -in site.leaf -noout -serial | cut -d= -f2)
            printf 'V\\t491231235959Z\\t\\t%s\\tunknown\\t/CN=site.test\\n' "$serial" > index.txt
            openssl ocsp -index index.txt -rsigner ca.pem -rkey ca.key -CA ca.pem -ndays 30 -reqin site.request -respout site.ocsp
            openssl rand -hex 32 > token
            openssl rand -hex 32 > deploy.token
            openssl rand -hex 32 > record.key
            """;

    @TempDir
    private static Path home = Path.of("");

    @BeforeAll
    static void makeFiles() throws Exception {
        assumeTrue(OpenSslClient.isThere(), "there is no openssl on this machine");
        Process tools = new ProcessBuilder("bash", "-c", TOOLS)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("tools.log").toFile())
                .start();
        assertThat(tools.waitFor(180, TimeUnit.SECONDS)).isTrue();
        assertThat(tools.exitValue())
                .as(Files.readString(home.resolve("tools.log")))
                .isZero();
        Path filters = Files.createDirectories(home.resolve("filters/outbound"));
        Files.writeString(filters.resolve("stamp.groovy"), "filter { it.response.headers['x-stamp'] = 'yes' }\n");
    }

    /** Returns a context of the JDK that trusts {@code authority} and sends the certificate of {@code store}. */
    private static SSLContext context(String authority, String store) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(home.resolve(authority))) {
            trusted.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyStore own = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(home.resolve(store))) {
            own.load(in, PASSWORD);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static int version(Lychgate gateway, SSLContext operator, String field) throws IOException {
        try (TlsClient client = TlsClient.connect(loopback(gateway.adminPort()), operator, null)) {
            return client.raw()
                    .send("GET /version HTTP/1.1\r\nHost: localhost\r\n" + field + "\r\n\r\n")
                    .readResponse()
                    .status();
        }
    }

    /**
     * @param site of the listener
     * @param us the certificate for the origin
     * @param admin of the admin listener
     * @param authority which the operator must trust
     */
    private static void serves(String site, String us, String admin, String authority) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("hello")))
                        .overTls(context("ca.pem", "origin.p12"), true);
                ScriptedOrigin collector = ScriptedOrigin.answering(
                                (request, c) -> c.send(Responses.ok("{\"code\":0}")))
                        .overTls(context("ca.pem", "origin.p12"), false)) {
            Path file = Files.writeString(home.resolve("gateway.yml"), """
                    listeners:
                      - name: main
                        address: "127.0.0.1:0"
                        tls: { certificates: [%s], client-auth: required, client-ca: bundle.pem }
                    admin:
                      address: "127.0.0.1:0"
                      token-file: token
                      tls: { %s, client-ca: bundle.pem }
                      operators:
                        - { name: us, certificate: CN=us.test }
                        - { name: deploy, token-file: deploy.token }
                    filters: { directory: filters }
                    history: { file: changes/history.jsonl, generations: 0 }
                    record: { file: traffic.rec, encrypt: record.key, rules: [{}] }
                    access-log:
                      file: %s
                      hec: { url: "https://localhost:%d", token: "11111111-2222-3333", ca: bundle.pem, interval: 20ms }
                    routes: [{ id: all, upstream: api }]
                    upstreams:
                      api:
                        endpoints: ["https://localhost:%d"]
                        tls: { ca: bundle.pem, certificate: { %s } }
                    """.formatted(
                            site, admin, home.resolve("access.log"), collector.port(), origin.port(), us));
            try (FileGateway<Lychgate> files = FileGateway.start(file, name -> null, Lychgate::start);
                    Lychgate gateway = files.gateway()) {
                String said = new OpenSslClient(loopback(gateway.port("main")))
                        .get("site.test", "-cert", path("us.pem"), "-key", path("us.key"), "-CAfile", path("ca.pem"));
                assertThat(said).contains("Verify return code: 0 (ok)", "HTTP/1.1 200 ", "x-stamp: yes", "hello");
                eventually(() ->
                        assertThat(Files.readString(home.resolve("access.log"))).contains("\"route\":\"all\""));
                eventually(() -> assertThat(Files.readString(home.resolve("changes/history.jsonl")))
                        .contains("\"action\":\"start\""));
                eventually(() -> assertThat(recorded()).isPositive());
                assertThat(collector.awaitRequests(1).get(0).body()).isNotEmpty();
                for (String owner : List.of("token", "deploy.token")) {
                    String token = Files.readString(home.resolve(owner)).strip();
                    assertThat(version(gateway, context(authority, "admin.p12"), "Authorization: Bearer " + token))
                            .as(owner)
                            .isEqualTo(200);
                }
                assertThat(version(gateway, context(authority, "us.p12"), "x: y"))
                        .as("a certificate replaces the token")
                        .isEqualTo(200);
            } finally {
                Files.deleteIfExists(home.resolve("access.log"));
                Files.deleteIfExists(home.resolve("traffic.rec"));
            }
        }
    }

    private static int recorded() throws IOException {
        RecordingKey key = RecordingKey.read(home.resolve("record.key"));
        int count = 0;
        try (RecordingReader reader = RecordingReader.open(home.resolve("traffic.rec"), key)) {
            while (reader.next() != null) {
                count++;
            }
        }
        return count;
    }

    private static String path(String name) {
        return home.resolve(name).toString();
    }

    @Test
    void loadsFilesInPem() throws Exception {
        serves(
                "{ chain: site.pem, key: site.key }",
                "chain: us.pem, key: us.key",
                "chain: site.pem, key: site.key",
                "ca.pem");
    }

    @Test
    void loadsStores() throws Exception {
        serves(
                "{ pkcs12: us.p12, password: changeit }",
                "pkcs12: us.p12, password: changeit",
                "pkcs12: admin.p12, password: changeit",
                "admin.crt");
    }

    @Test
    void staplesAnOcspResponseOfOpenssl() throws Exception {
        Path file = Files.writeString(home.resolve("stapled.yml"), """
                listeners:
                  - name: main
                    address: "127.0.0.1:0"
                    tls: { certificates: [{ chain: site.pem, key: site.key, ocsp: site.ocsp }] }
                access-log: { format: off }
                """);
        try (FileGateway<Lychgate> files = FileGateway.start(file, name -> null, Lychgate::start);
                Lychgate gateway = files.gateway()) {
            assertThat(new OpenSslClient(loopback(gateway.port("main")))
                            .get("site.test", "-status", "-CAfile", path("ca.pem")))
                    .contains("OCSP Response Status: successful", "Cert Status: good", "Verify return code: 0 (ok)");
        }
    }

    @Test
    void noOtherKeyHasAPath() throws Exception {
        Set<String> paths = new TreeSet<>();
        Pattern.compile("(?m)^\\| `([^`]+)` \\| path \\|")
                .matcher(Files.readString(Path.of("../docs/configuration.md"), StandardCharsets.UTF_8))
                .results()
                .forEach(row -> paths.add(row.group(1)));

        assertThat(paths)
                .containsExactlyInAnyOrder(
                        "access-log.file",
                        "access-log.hec.ca",
                        "admin.operators[].token-file",
                        "admin.tls.chain",
                        "admin.tls.client-ca",
                        "admin.tls.key",
                        "admin.tls.pkcs12",
                        "admin.token-file",
                        "discovery.sources.*.consul.ca",
                        "discovery.sources.*.consul.certificate.chain",
                        "discovery.sources.*.consul.certificate.key",
                        "discovery.sources.*.consul.certificate.pkcs12",
                        "discovery.sources.*.etcd.ca",
                        "discovery.sources.*.etcd.certificate.chain",
                        "discovery.sources.*.etcd.certificate.key",
                        "discovery.sources.*.etcd.certificate.pkcs12",
                        "discovery.sources.*.eureka.ca",
                        "discovery.sources.*.eureka.certificate.chain",
                        "discovery.sources.*.eureka.certificate.key",
                        "discovery.sources.*.eureka.certificate.pkcs12",
                        "discovery.sources.*.file.directory",
                        "discovery.sources.*.kubernetes.ca",
                        "discovery.sources.*.kubernetes.certificate.chain",
                        "discovery.sources.*.kubernetes.certificate.key",
                        "discovery.sources.*.kubernetes.certificate.pkcs12",
                        "discovery.sources.*.kubernetes.token-file",
                        "discovery.state",
                        "filters.directory",
                        "filters.libraries",
                        "fleet.state",
                        "fleet.store.directory",
                        "fleet.store.etcd.ca",
                        "fleet.store.etcd.certificate.chain",
                        "fleet.store.etcd.certificate.key",
                        "fleet.store.etcd.certificate.pkcs12",
                        "history.file",
                        "listeners[].tls.certificates[].chain",
                        "listeners[].tls.certificates[].key",
                        "listeners[].tls.certificates[].ocsp",
                        "listeners[].tls.certificates[].pkcs12",
                        "listeners[].tls.client-ca",
                        "record.encrypt",
                        "record.file",
                        "upstreams.*.tls.ca",
                        "upstreams.*.tls.certificate.chain",
                        "upstreams.*.tls.certificate.key",
                        "upstreams.*.tls.certificate.pkcs12");
    }
}
