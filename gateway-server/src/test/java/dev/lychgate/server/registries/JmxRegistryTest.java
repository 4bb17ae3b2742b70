package dev.lychgate.server.registries;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.MetricsConfig;
import dev.lychgate.server.metrics.Family;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Metrics through a JMX connector on the loopback, as in JConsole. */
@Tag("slow")
@Tag("each-jdk")
class JmxRegistryTest {
    private static final MetricsConfig ON = MetricsConfig.DEFAULT;

    private JMXConnectorServer server;
    private JMXConnector connector;
    private MBeanServerConnection client;

    /** Both ends stay on the loopback. */
    record Loopback() implements RMIClientSocketFactory, RMIServerSocketFactory, java.io.Serializable {
        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return new Socket(InetAddress.getLoopbackAddress(), port);
        }

        @Override
        public ServerSocket createServerSocket(int port) throws IOException {
            return new ServerSocket(port, 10, InetAddress.getLoopbackAddress());
        }
    }

    @SuppressWarnings("BanJNDI") // with ourselves
    @BeforeEach
    void connect() throws Exception {
        Map<String, Object> sockets = Map.of(
                RMIConnectorServer.RMI_CLIENT_SOCKET_FACTORY_ATTRIBUTE, new Loopback(),
                RMIConnectorServer.RMI_SERVER_SOCKET_FACTORY_ATTRIBUTE, new Loopback());
        server = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("service:jmx:rmi://127.0.0.1"), sockets, ManagementFactory.getPlatformMBeanServer());
        server.start();
        connector = JMXConnectorFactory.connect(server.getAddress());
        client = connector.getMBeanServerConnection();
    }

    @AfterEach
    void disconnect() throws Exception {
        connector.close();
        server.stop();
    }

    private Set<ObjectName> names() throws Exception {
        return client.queryNames(new ObjectName("dev.lychgate:*"), null);
    }

    private static ObjectName name(String name) throws Exception {
        return new ObjectName("dev.lychgate:" + name);
    }

    /** The name that distinguishes this gateway from another one in the JVM. */
    private static String more(Set<ObjectName> mine) {
        return mine.stream()
                .map(name -> name.getKeyProperty("gateway"))
                .filter(number -> number != null)
                .findAny()
                .map(number -> ",gateway=" + number)
                .orElse("");
    }

    @Test
    void aClientListsAndReadsTheMetrics() throws Exception {
        Set<ObjectName> before = names();
        try (ShownGateway shown = new ShownGateway(ON)) {
            shown.get(7);
            String port = Integer.toString(shown.origin.port());
            String more = more(added(before));
            ObjectName gateway = name("type=gateway" + more);
            assertThat((int) client.getAttribute(gateway, "Series")).isGreaterThan(100);
            assertThat((long) client.getAttribute(gateway, "AgeMillis")).isNotNegative();

            ObjectName requests =
                    name("type=lychgate_requests_total" + more + ",route=api,status=2xx,error=none,side=none");
            eventually(() -> {
                // A read updates the values, at most once a second.
                client.getAttribute(gateway, "Series");
                assertThat(client.getAttribute(requests, "Count")).isEqualTo(7.0);
            });
            ObjectName idle = name("type=lychgate_pool_connections" + more + ",upstream=origin,endpoint=\"127.0.0.1:"
                    + port + "\",state=connecting");
            assertThat(client.getAttribute(idle, "Value")).isEqualTo(0.0);
            ObjectName durations = name("type=lychgate_request_duration_seconds" + more + ",route=api");
            eventually(() -> assertThat(client.getAttribute(durations, "Count")).isEqualTo(7L));
            double p50 = (double) client.getAttribute(durations, "P50");
            double p99 = (double) client.getAttribute(durations, "P99");
            assertThat(p50).isPositive().isLessThanOrEqualTo(p99);
            assertThat((double) client.getAttribute(durations, "Mean"))
                    .isEqualTo((double) client.getAttribute(durations, "Sum") / 7);
            assertThat(client.getAttributes(durations, new String[] {"P95", "Nonsense"}))
                    .hasSize(1);
            assertThat(client.getMBeanInfo(durations).getDescription()).contains("by route");

            // A family may get its first samples after the last update.
            eventually(() -> {
                Set<String> families = shown.gateway.metrics().figures().get(10, TimeUnit.SECONDS).families().stream()
                        .filter(family -> !family.samples().isEmpty())
                        .map(Family::name)
                        .collect(Collectors.toSet());
                families.add("gateway");
                client.getAttribute(gateway, "Series");
                assertThat(names().stream()
                                .filter(name -> !before.contains(name))
                                .map(name -> name.getKeyProperty("type"))
                                .collect(Collectors.toSet()))
                        .isEqualTo(families);
            });
        }
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void twoGatewaysOfOneJvmDoNotCollideAndEachRemovesItsOwn() throws Exception {
        Set<ObjectName> before = names();
        try (ShownGateway first = new ShownGateway(ON)) {
            Set<ObjectName> one = added(before);
            ShownGateway second = new ShownGateway(ON);
            Set<ObjectName> both = new HashSet<>(before);
            both.addAll(one);
            Set<ObjectName> two;
            try (second) {
                second.get(3);
                two = added(both);
                assertThat(more(two)).isNotEqualTo(more(one)).startsWith(",gateway=");
                ObjectName requests =
                        name("type=lychgate_requests_total" + more(two) + ",route=api,status=2xx,error=none,side=none");
                eventually(() -> {
                    client.getAttribute(name("type=gateway" + more(two)), "Series");
                    assertThat(client.getAttribute(requests, "Count")).isEqualTo(3.0);
                });
            }
            assertThat(names()).containsAll(one).doesNotContainAnyElementsOf(two);
            first.get(1);
            assertThatThrownBy(() -> client.getAttribute(name("type=gateway" + more(two)), "Series"))
                    .isInstanceOf(InstanceNotFoundException.class);
        }
        assertThat(names()).isEqualTo(before);
    }

    /** Returns all values of one gateway, as soon as there are some. */
    private Set<ObjectName> added(Set<ObjectName> before) throws Exception {
        Set<ObjectName> added = new HashSet<>();
        eventually(() -> {
            added.clear();
            added.addAll(names());
            added.removeAll(before);
            String more = more(added);
            assertThat((int) client.getAttribute(name("type=gateway" + more), "Series"))
                    .isEqualTo(added.size() - 1);
        });
        return added;
    }

    @Test
    void nothingIsRegisteredIfItIsOff() throws Exception {
        Set<ObjectName> before = names();
        try (ShownGateway shown = new ShownGateway(new MetricsConfig(false, null, null))) {
            shown.get(1);
            shown.gateway.metrics().figures().get(10, TimeUnit.SECONDS);
            assertThat(names()).isEqualTo(before);
        }
    }
}
