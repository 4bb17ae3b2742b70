package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.yaml.Environment;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TlsClient;
import io.netty.pkitesting.X509Bundle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the samples of docs/tls.md, with certificates that are renewed as documented. */
@Tag("slow")
@Tag("each-jdk")
class DocumentedTlsTest {
    private static final Certificates CA = Certificates.authority("Test Authority");
    private static final Environment NOTHING_SET = name -> null;

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path directory;

    private static List<String> snippets() throws Exception {
        String page = Files.readString(Path.of("../docs/tls.md"));
        return Pattern.compile("(?ms)^```yaml\\n(.*?)^```")
                .matcher(page)
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
    }

    private static InetSocketAddress at(FileGateway<Lychgate> gateway, String listener) {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().port(listener));
    }

    private Path write(String yaml) throws Exception {
        Files.createDirectories(directory.resolve("tls"));
        return Files.writeString(
                directory.resolve("gateway.yml"), yaml.replaceAll("\"0\\.0\\.0\\.0:\\d+\"", "\"127.0.0.1:0\""));
    }

    private Path tls() {
        return directory.resolve("tls");
    }

    @Test
    void theFirstExampleServesWithTlsOnBothSidesAndReloadsItsCertificates() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (request, c) -> c.send(dev.lychgate.testing.Responses.ok("hello")))
                .overTls(CA.context(CA.issue("localhost")), false)) {
            Path file = write(snippets().get(0).replace("api.internal:8443", "localhost:" + origin.port()));
            Certificates.pem(tls(), "example.com", CA.issue("example.com"));
            Certificates.store(tls(), "wildcard", CA.issue("*.wild.test"), "changeit");
            CA.writeCa(tls(), "internal-ca.pem");
            try (FileGateway<Lychgate> gateway = FileGateway.start(file, NOTHING_SET, Lychgate::start);
                    TlsClient before = TlsClient.connect(at(gateway, "https"), CA.context(null), "example.com")) {
                assertThat(before.raw().get("/api/x").body()).isEqualTo("hello");
                try (RawClient plain = RawClient.connect(at(gateway, "http"))) {
                    assertThat(plain.get("/api/x").value("location")).contains("https://lychgate.test/api/x");
                }

                Certificates.pem(tls(), "example.com", CA.issue("renewed.test", "example.com"));
                eventually(
                        Duration.ofSeconds(30),
                        () -> assertThat(subject(gateway)).isEqualTo("CN=renewed.test"));
                assertThat(before.raw().get("/api/x").body()).isEqualTo("hello");

                // Like Kubernetes: the link points to another directory.
                Path next = Files.createDirectories(directory.resolve("next"));
                Certificates.pem(next, "example.com", CA.issue("swapped.test", "example.com"));
                for (String name : List.of("example.com.key", "example.com.pem")) {
                    Path link = Files.createSymbolicLink(directory.resolve("link"), next.resolve(name));
                    Files.move(
                            link,
                            tls().resolve(name),
                            java.nio.file.StandardCopyOption.REPLACE_EXISTING,
                            java.nio.file.StandardCopyOption.ATOMIC_MOVE);
                }
                eventually(
                        Duration.ofSeconds(30),
                        () -> assertThat(subject(gateway)).isEqualTo("CN=swapped.test"));

                Certificates.write(next.resolve("example.com.pem"), "nonsense");
                eventually(Duration.ofSeconds(30), () -> {
                    var refusal = gateway.reloader().refusal();
                    assertThat(refusal).isNotNull();
                    assertThat(refusal.faults().toString()).contains("example.com.pem: contains nothing in PEM");
                });
                assertThat(subject(gateway)).isEqualTo("CN=swapped.test");
                gateway.gateway().close();
            }
        }
    }

    @Test
    void reloadsTheDirectoryThatCertbotRenews() throws Exception {
        Path live = Files.createDirectories(tls().resolve("live/example.com"));
        Path archive = Files.createDirectories(tls().resolve("archive/example.com"));
        issueAsCertbot(archive, live, 1, "example.com");
        Path file = write("""
                listeners:
                  - name: https
                    address: "127.0.0.1:0"
                    tls:
                      certificates:
                        - { chain: tls/live/example.com/fullchain.pem, key: tls/live/example.com/privkey.pem }
                routes: [{ id: all, respond: { body: hello } }]
                """);
        try (FileGateway<Lychgate> gateway = FileGateway.start(file, NOTHING_SET, Lychgate::start)) {
            assertThat(subject(gateway)).isEqualTo("CN=example.com");
            issueAsCertbot(archive, live, 2, "renewed.test", "example.com");
            eventually(
                    Duration.ofSeconds(30), () -> assertThat(subject(gateway)).isEqualTo("CN=renewed.test"));
            gateway.gateway().close();
        }
    }

    /** Writes the numbered files to the archive first, then removes and makes each link, as certbot does. */
    private static void issueAsCertbot(Path archive, Path live, int number, String... names) throws Exception {
        X509Bundle bundle = CA.issue(names);
        Map<String, String> files = new LinkedHashMap<>();
        files.put("cert", bundle.getCertificatePEM());
        files.put("privkey", bundle.getPrivateKeyPEM());
        files.put("chain", CA.root().getCertificatePEM());
        files.put("fullchain", bundle.getCertificatePEM() + CA.root().getCertificatePEM());
        for (Map.Entry<String, String> kind : files.entrySet()) {
            Files.writeString(archive.resolve(kind.getKey() + number + ".pem"), kind.getValue());
        }
        for (String kind : files.keySet()) {
            Path link = live.resolve(kind + ".pem");
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, Path.of("../../archive/example.com/" + kind + number + ".pem"));
        }
    }

    private static String subject(FileGateway<Lychgate> gateway) throws Exception {
        try (TlsClient client = TlsClient.connect(at(gateway, "https"), CA.context(null), "example.com")) {
            return client.serverSubject();
        }
    }

    @Test
    void theSecondExampleServesClientsWithCertificatesOnly() throws Exception {
        Path file = write(snippets().get(1) + "routes: [{ id: all, respond: { body: hello } }]\n");
        Certificates.pem(tls(), "example.com", CA.issue("example.com"));
        CA.writeCa(tls(), "partners-ca.pem");
        try (FileGateway<Lychgate> gateway = FileGateway.start(file, NOTHING_SET, Lychgate::start);
                TlsClient partner = TlsClient.connect(
                        at(gateway, "partners"), CA.context(CA.issue("partner.test")), "example.com")) {
            assertThat(partner.raw().get("/").body()).isEqualTo("hello");
            gateway.gateway().close();
        }
    }
}
