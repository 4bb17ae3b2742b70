package dev.lychgate.server.discovery;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.server.discovery.TestRegistry.Instance;
import dev.lychgate.server.fleet.EtcdCluster;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes, failures and lost state of each kind of source, under traffic over real sockets. */
@Tag("slow")
class DiscoveryTrafficTest {
    private static final String UPSTREAM = "{ endpoints: [{ from: lan, service: api }] }";

    @TempDir
    Path home = Path.of("");

    private TestRegistry registry(String kind) throws Exception {
        return switch (kind) {
            case "file" -> new TestRegistries.OfFile(home);
            case "consul" -> new TestRegistries.OfConsul();
            case "kubernetes" -> new TestRegistries.OfKubernetes();
            case "eureka" -> new TestRegistries.OfEureka();
            default -> {
                assumeTrue(EtcdCluster.isInstalled(), EtcdCluster.MISSING);
                yield new TestRegistries.OfEtcd();
            }
        };
    }

    private DiscoveredGateway gateway(TestRegistry registry) throws Exception {
        return new DiscoveredGateway(
                home, "{ sources: { lan: { " + registry.settings() + " } }, state: state }", UPSTREAM);
    }

    private static Instance ready(int port) {
        return new Instance(port, false);
    }

    private static Instance draining(int port) {
        return new Instance(port, true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "consul", "kubernetes", "eureka", "etcd"})
    void addsDrainsAndRemovesEndpointsWithoutAnError(String kind) throws Exception {
        try (TestRegistry registry = registry(kind);
                DiscoveredGateway gateway = gateway(registry)) {
            int first = gateway.origin();
            int second = gateway.origin();
            registry.become(List.of(ready(first)));
            gateway.awaitPorts(first);
            gateway.underTraffic(() -> {
                registry.become(List.of(ready(first), ready(second)));
                gateway.awaitPorts(first, second);

                registry.become(List.of(draining(first), ready(second)));
                gateway.awaitPorts(second);
                assertThat(gateway.endpoints()).hasSize(2);

                registry.become(List.of(ready(second)));
                eventually(() -> assertThat(gateway.endpoints()).hasSize(1));
                gateway.awaitResponses();
                gateway.end(first);
                gateway.awaitPorts(second);
            });
            assertThat(gateway.generation()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "consul", "kubernetes", "eureka", "etcd"})
    void keepsTheLastSetWhileTheSourceFailsOrHasLostItsState(String kind) throws Exception {
        try (TestRegistry registry = registry(kind);
                DiscoveredGateway gateway = gateway(registry)) {
            int first = gateway.origin();
            int second = gateway.origin();
            registry.become(List.of(ready(first)));
            gateway.awaitPorts(first);
            gateway.underTraffic(() -> {
                registry.become(List.of());
                eventually(() -> assertThat(gateway.status().empty()).isPositive());
                registry.fail();
                eventually(() -> assertThat(gateway.status().failed()).isPositive());
                gateway.awaitPorts(first);

                registry.become(List.of(ready(first), ready(second)));
                gateway.awaitPorts(first, second);
            });
            eventually(() -> assertThat(gateway.status().fault()).isNull());
        }
    }
}
