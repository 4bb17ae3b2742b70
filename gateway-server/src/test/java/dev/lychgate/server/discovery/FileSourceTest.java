package dev.lychgate.server.discovery;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawClient;
import dev.lychgate.upstream.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Endpoints in a file, with origins and traffic over real sockets. */
@Tag("slow")
class FileSourceTest {
    private static final String UPSTREAM = "{ endpoints: [{ from: lan, service: api }] }";
    private static final String DISCOVERY =
            "{ sources: { lan: { file: { directory: endpoints } } }, state: state, max-removal: %s }";

    @TempDir
    Path home = Path.of("");

    @SuppressWarnings("NullAway.Init") // start() creates it
    private DiscoveredGateway gateway;

    @BeforeEach
    void start() throws Exception {
        Files.createDirectories(home.resolve("endpoints"));
        gateway = new DiscoveredGateway(home, DISCOVERY.formatted("100%"), UPSTREAM);
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    /** Replaces the file like a deployment tool. */
    private void write(String text) throws IOException {
        Path next = Files.writeString(home.resolve("endpoints/next"), text);
        Files.move(next, home.resolve("endpoints/api.json"), StandardCopyOption.ATOMIC_MOVE);
    }

    private void writeTargets(Integer... ports) throws IOException {
        write("[{ \"targets\": " + DiscoveredGateway.targets(ports) + " }]");
    }

    private void writeDraining(int ready, int draining) throws IOException {
        write("[{ \"targets\": " + DiscoveredGateway.targets(ready) + " }, { \"targets\": "
                + DiscoveredGateway.targets(draining) + ", \"labels\": { \"state\": \"draining\" } }]");
    }

    @Test
    void addsDrainsAndRemovesEndpointsUnderTrafficWithoutAnError() throws Exception {
        int first = gateway.origin();
        int second = gateway.origin();
        writeTargets(first);
        gateway.awaitPorts(first);
        gateway.underTraffic(() -> {
            writeTargets(first, second);
            gateway.awaitPorts(first, second);

            writeDraining(second, first);
            gateway.awaitPorts(second);
            assertThat(gateway.endpoints()).hasSize(2);

            writeTargets(second);
            eventually(() -> assertThat(gateway.endpoints()).hasSize(1));
            gateway.awaitResponses();
            gateway.end(first);
            gateway.awaitPorts(second);
        });
        assertThat(gateway.generation()).isEqualTo(1);
    }

    @Test
    void completesTheExchangesOfDrainingAndRemovedEndpoints() throws Exception {
        int first = gateway.origin();
        int second = gateway.origin();
        writeTargets(first);
        gateway.awaitPorts(first);
        try (RawClient drained = gateway.client()) {
            drained.send("GET /slow HTTP/1.1\r\nHost: lychgate.test\r\n\r\n");
            gateway.slowRequests.acquire();
            writeDraining(second, first);
            gateway.awaitPorts(second);
            writeTargets(second);
            eventually(() -> assertThat(gateway.endpoints()).hasSize(1));

            gateway.slowResponses.release();

            assertThat(drained.readResponse().body()).isEqualTo(Integer.toString(first));
        }
    }

    @Test
    void keepsTheLastSetIfTheFileIsEmptyMalformedOrMissing() throws Exception {
        int only = gateway.origin();
        writeTargets(only);
        gateway.awaitPorts(only);
        gateway.underTraffic(() -> {
            write("[]");
            eventually(() -> assertThat(gateway.status().fault()).isEqualTo("the source reports no endpoints"));
            write("[{");
            eventually(() -> assertThat(gateway.status().fault()).endsWith("api.json: line 1 is not JSON"));
            Files.delete(home.resolve("endpoints/api.json"));
            eventually(() -> assertThat(gateway.status().fault()).endsWith("api.json: the file does not exist"));
            gateway.awaitPorts(only);
        });
        writeTargets(only);
        eventually(() -> assertThat(gateway.status().fault()).isNull());
    }

    @Test
    void respondsWith503UntilTheFirstSetIsKnown() throws Exception {
        try (RawClient client = gateway.client()) {
            assertThat(client.get("/").status()).isEqualTo(503);
        }
    }

    @Test
    void usesTheLastSetOfTheDiskAfterARestartWithoutTheFile() throws Exception {
        int only = gateway.origin();
        writeTargets(only);
        gateway.awaitPorts(only);
        eventually(() -> assertThat(home.resolve("state/api@lan@api.json")).exists());
        Files.delete(home.resolve("endpoints/api.json"));

        try (DiscoveredGateway restarted = new DiscoveredGateway(home, DISCOVERY.formatted("100%"), UPSTREAM)) {
            restarted.awaitPorts(only);
            assertThat(restarted.status().stored()).isTrue();
        }
    }

    @Test
    void keepsRemovedEndpointsBeyondTheLimit() throws Exception {
        gateway.close();
        gateway = new DiscoveredGateway(home, DISCOVERY.formatted("50%"), UPSTREAM);
        Integer[] ports = {gateway.origin(), gateway.origin(), gateway.origin(), gateway.origin()};
        writeTargets(ports);
        gateway.awaitPorts(ports);

        writeTargets(ports[0]);

        eventually(() -> assertThat(gateway.status().retained()).isEqualTo(1));
        eventually(() -> assertThat(gateway.ports()).hasSize(2).contains(ports[0]));
    }

    @Test
    void servesTrafficWhileFiveThousandEndpointsChange() throws Exception {
        int only = gateway.origin();
        writeTargets(only);
        gateway.awaitPorts(only);
        gateway.underTraffic(() -> {
            for (int round = 0; round < 5; round++) {
                int begin = round * 1000;
                String labels = "\"labels\": { \"state\": \"draining\", \"version\": \"v" + round + "\" }";
                write("[{ \"targets\": " + DiscoveredGateway.targets(only) + " }, { \"targets\": "
                        + IntStream.range(begin, begin + 5000)
                                .mapToObj(i -> "\"10." + i / 65536 + "." + i / 256 % 256 + "." + i % 256 + ":80\"")
                                .collect(Collectors.joining(", ", "[", "]"))
                        + ", " + labels + " }]");
                String version = "v" + round;
                eventually(() -> {
                    assertThat(gateway.endpoints()).hasSize(5001);
                    Endpoint last = gateway.endpoints().get(5000);
                    assertThat(last.config().metadata()).containsEntry("version", version);
                });
            }
            writeTargets(only);
            eventually(() -> assertThat(gateway.endpoints()).hasSize(1));
        });
    }

    @Test
    void routesSelectEndpointsByTheMetadataOfTheSource() throws Exception {
        int first = gateway.origin();
        int second = gateway.origin();
        Files.writeString(
                home.resolve("gateway.yml"),
                Files.readString(home.resolve("gateway.yml"))
                        .replace("upstream: api }", "upstream: api, subset: { version: v2 } }"));
        eventually(() -> assertThat(gateway.generation()).isEqualTo(2));
        write("[{ \"targets\": " + DiscoveredGateway.targets(first) + " }, { \"targets\": "
                + DiscoveredGateway.targets(second) + ", \"labels\": { \"version\": \"v2\" } }]");

        gateway.awaitPorts(second);
    }
}
