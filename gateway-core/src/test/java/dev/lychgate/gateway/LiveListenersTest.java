package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ClientAddressConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.Http2Config;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.ListenerLimits;
import dev.lychgate.config.ListenerTimeouts;
import dev.lychgate.config.PathPolicy;
import dev.lychgate.config.SocketOptions;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.listener.Listener;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Client.GoAway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import dev.lychgate.testing.UnusedPort;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners are added, moved, changed and removed with a generation, without a restart and without a lost request. */
class LiveListenersTest {
    private static final SocketOptions SOCKET = SocketOptions.DEFAULT;
    private static final ListenerLimits LIMITS = ListenerLimits.DEFAULT;

    private static ListenerConfig listener(
            String name, String host, int port, SocketOptions socket, ListenerLimits limits) {
        return new ListenerConfig(
                name,
                new BindAddress(host, port),
                socket,
                limits,
                ListenerTimeouts.DEFAULT,
                PathPolicy.STRICT,
                ListenerConfig.ALL,
                Http2Config.DEFAULT,
                List.of(),
                ClientAddressConfig.DEFAULT,
                false,
                null,
                0,
                null,
                List.of(),
                null,
                null);
    }

    private static ListenerConfig listener(String name, int port) {
        return listener(name, "127.0.0.1", port, SOCKET, LIMITS);
    }

    private static List<Integer> freePorts(int count) {
        return Stream.generate(UnusedPort::number).limit(count).toList();
    }

    private static RawClient connect(int port) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static int statusAt(int port) throws Exception {
        try (RawClient client = connect(port)) {
            return client.get("/").status();
        }
    }

    private static void assertRefused(int port) throws Exception {
        Eventually.eventually(
                () -> assertThatThrownBy(() -> connect(port).close()).isInstanceOf(ConnectException.class));
    }

    private static void apply(Running gateway, Setup setup, ListenerConfig... listeners) {
        gateway.gateway().apply(setup.listeners(listeners).config());
    }

    private static ScriptedOrigin origin() throws Exception {
        return ScriptedOrigin.answering((request, connection) -> connection.send(Responses.ok(request.target())));
    }

    @Test
    void anAddedListenerServesAndARemovedOneIsDrained() throws Exception {
        List<Integer> ports = freePorts(2);
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                (request, connection) -> connection.stallUntil(gate).send(Responses.ok("whole")))) {
            Setup setup = Setup.to(origin.address()).listeners(listener("a", ports.get(0)));
            try (Running gateway = setup.start()) {
                apply(gateway, setup, listener("a", ports.get(0)), listener("b", ports.get(1)));
                try (RawClient running = connect(ports.get(1));
                        RawClient kept = connect(ports.get(0))) {
                    running.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    origin.awaitRequests(1);
                    apply(gateway, setup, listener("a", ports.get(0)));
                    assertRefused(ports.get(1));
                    gate.open();
                    RawMessage last = running.readResponse();
                    assertThat(last.body()).isEqualTo("whole");
                    assertThat(last.values("connection")).containsExactly("close");
                    running.expectClosed();
                    assertThat(kept.get("/").values("connection")).isEmpty();
                    assertThat(gateway.gateway().listeners())
                            .extracting(each -> each.config().name())
                            .containsExactly("a");
                }
            }
        }
    }

    /** The generation in force has no policies for a removed listener, such as authentication. */
    @Test
    void aRemovedListenerServesNoFurtherRequest() throws Exception {
        List<Integer> ports = freePorts(2);
        try (ScriptedOrigin origin = origin()) {
            Setup setup =
                    Setup.to(origin.address()).listeners(listener("a", ports.get(0)), listener("b", ports.get(1)));
            try (Running gateway = setup.start();
                    RawClient kept = connect(ports.get(1))) {
                assertThat(kept.get("/").status()).isEqualTo(200);
                apply(gateway, setup, listener("a", ports.get(0)));
                RawMessage refused = kept.get("/");
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.values("connection")).containsExactly("close");
                assertThat(origin.requestsSeen()).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0"})
    void twoListenersCannotShareAnAddress(String host) throws Exception {
        int port = freePorts(1).get(0);
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address()).listeners(listener("a", port));
            try (Running gateway = setup.start()) {
                assertThatThrownBy(() ->
                                apply(gateway, setup, listener("a", port), listener("b", host, port, SOCKET, LIMITS)))
                        .isInstanceOf(ConfigException.class)
                        .hasMessage("listeners[1].address: " + host + ":" + port
                                + " (expected: a unique address; listener a already uses this address)");
                assertThat(statusAt(port)).isEqualTo(200);
            }
        }
    }

    @Test
    void aMovedListenerServesAtItsNewAddressOnly() throws Exception {
        List<Integer> ports = freePorts(2);
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address()).listeners(listener("a", ports.get(0)));
            try (Running gateway = setup.start();
                    RawClient kept = connect(ports.get(0))) {
                assertThat(kept.get("/1").values("connection")).isEmpty();
                apply(gateway, setup, listener("a", ports.get(1)));
                assertThat(statusAt(ports.get(1))).isEqualTo(200);
                assertRefused(ports.get(0));
                // The connection to the old address announces its end in its next response.
                RawMessage last = kept.get("/2");
                assertThat(last.body()).isEqualTo("/2");
                assertThat(last.values("connection")).containsExactly("close");
                kept.expectClosed();
                assertThat(gateway.gateway().address("a").getPort()).isEqualTo(ports.get(1));
            }
        }
    }

    @Test
    void anAddressInUseIsRefusedWithItsKeyAndNothingChanges() throws Exception {
        List<Integer> ports = freePorts(2);
        try (ScriptedOrigin origin = origin();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Setup setup = Setup.to(origin.address()).listeners(listener("a", ports.get(0)));
            try (Running gateway = setup.start();
                    RawClient kept = connect(ports.get(0))) {
                long before = gateway.gateway().generation().number();
                assertThatThrownBy(() ->
                                apply(gateway, setup, listener("a", ports.get(1)), listener("b", taken.getLocalPort())))
                        .isInstanceOf(ConfigException.class)
                        .hasMessage("listeners[1].address: 127.0.0.1:" + taken.getLocalPort()
                                + " (expected: an address that can be bound: the address is already in use)");
                assertRefused(ports.get(1));
                assertThat(statusAt(ports.get(0))).isEqualTo(200);
                assertThat(kept.get("/").values("connection")).isEmpty();
                assertThat(gateway.gateway().generation().number()).isEqualTo(before);
            }
        }
    }

    @Test
    void newConnectionsUseChangedLimitsAndOldOnesEndAfterTheirNextResponse() throws Exception {
        int port = freePorts(1).get(0);
        ListenerLimits strict = new ListenerLimits(100, ByteSize.ofKiB(1), 10, ByteSize.ofKiB(1), new ByteSize(0));
        String large = "GET / HTTP/1.1\r\nHost: a\r\nx-large: " + "x".repeat(3000) + "\r\n\r\n";
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address()).listeners(listener("a", port));
            try (Running gateway = setup.start();
                    RawClient kept = connect(port)) {
                assertThat(kept.get("/").status()).isEqualTo(200);
                apply(gateway, setup, listener("a", "127.0.0.1", port, SOCKET, strict));
                try (RawClient fresh = connect(port)) {
                    assertThat(fresh.send(large).readResponse().status()).isEqualTo(431);
                }
                RawMessage last = kept.send(large).readResponse();
                assertThat(last.status()).isEqualTo(200);
                assertThat(last.values("connection")).containsExactly("close");
                assertThat(gateway.gateway().listeners().get(0).connectionLimit())
                        .isEqualTo(100);
            }
        }
    }

    @Test
    void anHttp2ConnectionWithOldSettingsAnnouncesItsEndAndServesRequestsInTransit() throws Exception {
        int port = freePorts(1).get(0);
        Gate gate = new Gate();
        ListenerLimits other = new ListenerLimits(100, LIMITS.startLine(), 50, LIMITS.headerBytes(), LIMITS.body());
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                (request, connection) -> connection.stallUntil(gate).send(Responses.ok(request.target())))) {
            Setup setup = Setup.to(origin.address()).listeners(listener("a", port));
            try (Running gateway = setup.start();
                    Http2Client client =
                            Http2Client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                client.get(1, "/1");
                origin.awaitRequests(1);
                apply(gateway, setup, listener("a", "127.0.0.1", port, SOCKET, other));
                assertThat(client.awaitGoAway(1)).isEqualTo(new GoAway(Integer.MAX_VALUE, Http2Error.NO_ERROR));
                gate.open();
                assertThat(client.response(1).body()).isEqualTo("/1");
            }
        }
    }

    @Test
    void aPolicyOfAListenerKeepsItsConnections() throws Exception {
        int port = freePorts(1).get(0);
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address()).listeners(listener("a", port));
            try (Running gateway = setup.start();
                    RawClient kept = connect(port)) {
                assertThat(kept.get("/").status()).isEqualTo(200);
                apply(gateway, setup, listener("a", port).redirectingTo(443));
                RawMessage redirect = kept.get("/");
                assertThat(redirect.status()).isEqualTo(308);
                assertThat(redirect.values("connection")).isEmpty();
            }
        }
    }

    @Test
    void aListenerBindsAllInterfacesWhileItStillHasItsPort() throws Exception {
        int port = freePorts(1).get(0);
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address()).listeners(listener("a", port));
            try (Running gateway = setup.start()) {
                apply(gateway, setup, listener("a", "0.0.0.0", port, SOCKET, LIMITS));
                assertThat(gateway.gateway().address("a").getAddress().isAnyLocalAddress())
                        .isTrue();
                assertThat(statusAt(port)).isEqualTo(200);
                apply(gateway, setup, listener("a", port));
                assertThat(statusAt(port)).isEqualTo(200);
            }
        }
    }

    @Test
    void twoListenersExchangeTheirPorts() throws Exception {
        List<Integer> ports = freePorts(2);
        FilterSet named = FilterSet.of(TestFilter.inbound(exchange -> exchange.respond(200, exchange.getListener())));
        Setup setup = new Setup().listeners(listener("a", ports.get(0)), listener("b", ports.get(1)));
        try (Running gateway = Running.start(setup.config(), named)) {
            setup.listeners(listener("a", ports.get(1)), listener("b", ports.get(0)));
            gateway.gateway().apply(setup.config(), named);
            // A connection may still have arrived at the replaced socket.
            Eventually.eventually(() -> {
                assertThat(bodyAt(ports.get(1))).isEqualTo("a");
                assertThat(bodyAt(ports.get(0))).isEqualTo("b");
            });
        }
    }

    private static String bodyAt(int port) throws Exception {
        try (RawClient client = connect(port)) {
            return client.get("/").body();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void socketsChangeWithoutALostRequest(boolean reusesPort) throws Exception {
        int port = freePorts(1).get(0);
        SocketOptions before = new SocketOptions(
                64, !reusesPort, new ByteSize(0), new ByteSize(0), ByteSize.ofKiB(64), ByteSize.ofKiB(256));
        SocketOptions after = new SocketOptions(
                128, reusesPort, ByteSize.ofKiB(128), ByteSize.ofKiB(128), ByteSize.ofKiB(32), ByteSize.ofKiB(128));
        try (ScriptedOrigin origin = origin()) {
            Setup setup =
                    Setup.to(origin.address()).workers(2).listeners(listener("a", "127.0.0.1", port, before, LIMITS));
            try (Running gateway = setup.start();
                    RawClient kept = connect(port)) {
                assertThat(kept.get("/").status()).isEqualTo(200);
                apply(gateway, setup, listener("a", "127.0.0.1", port, after, LIMITS));
                assertThat(kept.get("/").status()).isEqualTo(200);
                for (int i = 0; i < 20; i++) {
                    assertThat(statusAt(port)).isEqualTo(200);
                }
                assertThat(gateway.gateway().listeners().get(0).config().socket())
                        .isEqualTo(after);
            }
        }
    }

    @Test
    void listenersKeepTheirSettingsDuringARollout() throws Exception {
        List<Integer> ports = freePorts(2);
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address()).listeners(listener("a", ports.get(0)));
            try (Running gateway = setup.start()) {
                GatewayConfig moved =
                        setup.listeners(listener("a", ports.get(1))).config();
                assertThatThrownBy(() -> gateway.gateway()
                                .introduce(moved, FilterSet.EMPTY, Candidates.share(0.5, Candidates.BY_REQUEST)))
                        .isInstanceOf(ConfigException.class)
                        .hasMessageStartingWith("listeners: changed (expected: the listeners of the stable generation");
                GatewayConfig same =
                        setup.listeners(listener("a", ports.get(0))).config();
                gateway.gateway().introduce(same, FilterSet.EMPTY, Candidates.share(0.5, Candidates.BY_REQUEST));
                assertThatThrownBy(() -> gateway.gateway().apply(moved)).isInstanceOf(ConfigException.class);
                gateway.gateway().withdraw();
                gateway.gateway().apply(moved);
                assertThat(statusAt(ports.get(1))).isEqualTo(200);
            }
        }
    }

    @Test
    void clientsWithKeptConnectionsLoseNoRequestWhileTheirListenerMovesBackAndForth() throws Exception {
        List<Integer> ports = freePorts(3);
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address())
                    .workers(2)
                    .listeners(listener("a", ports.get(0)), listener("b", ports.get(1)));
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger served = new AtomicInteger();
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            try (Running gateway = setup.start()) {
                List<Thread> clients = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    Thread client = new Thread(() -> request(ports.get(0), over, served, failures));
                    client.start();
                    clients.add(client);
                }
                for (int round = 0; round < 20; round++) {
                    int seen = served.get();
                    int port = ports.get(1 + round % 2);
                    ListenerLimits limits = new ListenerLimits(
                            1000 + round, LIMITS.startLine(), 100 + round, LIMITS.headerBytes(), LIMITS.body());
                    apply(
                            gateway,
                            setup,
                            listener("a", "127.0.0.1", ports.get(0), SOCKET, limits),
                            listener("b", port));
                    assertThat(statusAt(port)).isEqualTo(200);
                    Eventually.eventually(() -> assertThat(served.get()).isGreaterThan(seen + 8));
                }
                over.set(true);
                for (Thread client : clients) {
                    client.join();
                }
            }
            assertThat(failures).isEmpty();
        }
    }

    /** Sends requests, and opens a new connection after each response that announces the end of the connection. */
    private static void request(int port, AtomicBoolean over, AtomicInteger served, List<Throwable> failures) {
        try {
            while (!over.get()) {
                try (RawClient client = connect(port)) {
                    boolean ends = false;
                    while (!ends && !over.get()) {
                        RawMessage response = client.get("/");
                        assertThat(response.status()).isEqualTo(200);
                        served.incrementAndGet();
                        ends = response.values("connection").contains("close");
                    }
                }
            }
        } catch (Exception | AssertionError e) {
            failures.add(e);
        }
    }

    @Test
    void theCountersOfAMovedListenerContinue() throws Exception {
        List<Integer> ports = freePorts(2);
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address()).listeners(listener("a", ports.get(0)));
            try (Running gateway = setup.start()) {
                assertThat(statusAt(ports.get(0))).isEqualTo(200);
                apply(gateway, setup, listener("a", ports.get(1)));
                assertThat(statusAt(ports.get(1))).isEqualTo(200);
                Listener moved = gateway.gateway().listeners().get(0);
                assertThat(moved.counters().accepted()).isEqualTo(2);
            }
        }
    }
}
