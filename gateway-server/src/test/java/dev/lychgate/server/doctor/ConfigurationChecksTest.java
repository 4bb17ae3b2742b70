package dev.lychgate.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.doctor.Finding.Level;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.testing.Certificates;
import io.netty.pkitesting.X509Bundle;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationChecksTest {
    private final Instant now = Instant.now();

    @TempDir
    Path home = Path.of("");

    private List<Finding> findings(String topic, String yaml) throws Exception {
        Path file = Files.writeString(home.resolve("gateway.yml"), yaml);
        GatewayConfig config = new ConfigReader(name -> null).read(file).config();
        return new ConfigurationChecks(config, file, now)
                .all().stream().filter(each -> each.topic().equals(topic)).toList();
    }

    private static String listening(int port) {
        return "listeners: [{ name: main, address: \"127.0.0.1:" + port + "\" }]\n"
                + "routes: [{ id: all, match: { path: \"/**\" }, respond: { status: 204 } }]\n";
    }

    @Test
    void bindsTheAddressesOfAllListenersForAMoment() throws Exception {
        int free;
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = other.getLocalPort();
        }
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String yaml = listening(free) + "admin: { address: \"127.0.0.1:" + taken.getLocalPort() + "\" }\n";
            assertThat(findings("addresses", yaml))
                    .containsExactly(
                            new Finding(Level.OK, "addresses", "127.0.0.1:" + free + " can be bound"),
                            new Finding(
                                    Level.WARNING,
                                    "addresses",
                                    "127.0.0.1:" + taken.getLocalPort()
                                            + " is in use, as expected while the gateway runs; else stop the other process"));
        }
    }

    @Test
    void reportsAnAddressThatTheMachineDoesNotHave() throws Exception {
        // Addresses for documentation, which no machine has.
        assertThat(findings("addresses", listening(8080).replace("127.0.0.1", "192.0.2.1")))
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.level()).isEqualTo(Level.PROBLEM);
                    assertThat(found.text()).startsWith("192.0.2.1:8080 can't be bound: ");
                });
    }

    @Test
    void resolvesEachHostNameOnce() throws Exception {
        String yaml = listening(0)
                + "upstreams:\n"
                + "  a: { endpoints: [\"http://localhost:9000\", \"http://127.0.0.1:9001\"] }\n"
                + "  b: { endpoints: [\"http://localhost:9002\", \"http://missing.invalid:9003\"] }\n";
        assertThat(findings("names", yaml))
                .satisfiesExactly(
                        found -> {
                            assertThat(found.level()).isEqualTo(Level.OK);
                            assertThat(found.text()).matches("localhost has \\d+ address(es)?");
                        },
                        found -> {
                            // Some resolvers give an address to every name.
                            assertThat(found.level()).isNotEqualTo(Level.PROBLEM);
                            assertThat(found.text()).startsWith("missing.invalid ");
                        });
    }

    @Test
    void warnsOfACertificateThatExpiresSoon() throws Exception {
        Certificates authority = Certificates.authority("test");
        X509Bundle soon = authority.issue(now.minusSeconds(60), now.plus(Duration.ofDays(13)), "soon.example");
        X509Bundle later = authority.issue(now.minusSeconds(60), now.plus(Duration.ofDays(15)), "later.example");
        for (X509Bundle each : List.of(soon, later)) {
            String name = each == soon ? "soon" : "later";
            Files.writeString(home.resolve(name + ".pem"), each.getCertificatePathPEM());
            Files.writeString(home.resolve(name + ".key"), each.getPrivateKeyPEM());
        }
        String yaml = listening(0)
                .replace(
                        " }]\nroutes",
                        ", tls: { certificates: [{ chain: soon.pem, key: soon.key },"
                                + " { chain: later.pem, key: later.key }] } }]\nroutes");
        List<Finding> found = findings("certificates", yaml);
        assertThat(found)
                .filteredOn(each -> each.text().contains("CN=soon.example"))
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.level()).isEqualTo(Level.WARNING);
                    assertThat(each.text()).contains("soon.pem").endsWith("; renew the certificate");
                });
        assertThat(found)
                .filteredOn(each -> each.text().contains("CN=later.example"))
                .singleElement()
                .extracting(Finding::level)
                .isEqualTo(Level.OK);
    }

    @Test
    void requiresTheDirectoriesInWhichTheGatewayWrites() throws Exception {
        assertThat(findings("directories", listening(0))).singleElement().satisfies(found -> {
            assertThat(found.level()).isNotEqualTo(Level.PROBLEM);
            assertThat(found.text()).startsWith(home + " has ");
        });
        Path missing = home.resolve("missing");
        assertThat(findings("directories", listening(0) + "access-log: { file: \"" + missing + "/access.log\" }\n"))
                .last()
                .isEqualTo(new Finding(
                        Level.PROBLEM,
                        "directories",
                        missing
                                + " is not a writable directory, so the access log can't be written;"
                                + " create it, or change its owner"));
        Files.createDirectory(home.resolve(".lychgate"));
        assertThat(findings("directories", listening(0)))
                .singleElement()
                .satisfies(found -> assertThat(found.text()).startsWith(home.resolve(".lychgate") + " has "));
    }

    @Test
    void comparesTheDescriptorsWithTheConfiguredConnections() throws Exception {
        String few = listening(0).replace(" }]\nroutes", ", limits: { connections: 1 } }]\nroutes");
        assertThat(findings("descriptors", few))
                .containsExactly(new Finding(Level.OK, "descriptors", "enough for all configured connections"));
        String many = listening(0).replace(" }]\nroutes", ", limits: { connections: 999999999 } }]\nroutes");
        assertThat(findings("descriptors", many)).singleElement().satisfies(found -> {
            assertThat(found.level()).isEqualTo(Level.WARNING);
            assertThat(found.text()).contains("raise ulimit -n");
        });
    }
}
