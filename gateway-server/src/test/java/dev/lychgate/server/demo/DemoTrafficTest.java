package dev.lychgate.server.demo;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.admin.ProcessUpgrade;
import dev.lychgate.server.engine.RunningGateway;
import dev.lychgate.server.handover.SharedSockets;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class DemoTrafficTest {
    private final Gate gate = new Gate();
    private @Nullable ScriptedOrigin server;

    @AfterEach
    void end() {
        gate.open();
        if (server != null) {
            server.close();
        }
    }

    @Test
    void sendsRequestsToTheDemosListener() throws Exception {
        ScriptedOrigin listener = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("hello")));
        server = listener;

        try (DemoTraffic traffic = DemoTraffic.start(new Standing("demo", listener.address()))) {
            List<RawMessage> requests = listener.awaitRequests(20);

            assertThat(traffic).isNotNull();
            assertThat(requests)
                    .allMatch(request -> request.value("user-agent").orElse("").equals("lychgate-demo"));
            // Requests on different connections may arrive in another order.
            eventually(() -> assertThat(listener.requests().stream().map(RawMessage::target))
                    .contains("/", "/payments/1", "/orders/1", "/reports/daily", "/inventory/1", "/upload"));
        }
    }

    @Test
    void closesConnectionsWithRequestsUnderWayWhenTheGatewayDrains() throws Exception {
        ScriptedOrigin silent =
                ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok("late")));
        server = silent;
        Standing gateway = new Standing("demo", silent.address());

        try (DemoTraffic traffic = DemoTraffic.start(gateway)) {
            assertThat(traffic).isNotNull();
            silent.awaitConnections(3);
            gateway.draining = true;
            int looks = gateway.looksWhileDraining.get();
            eventually(() -> assertThat(gateway.looksWhileDraining.get()).isGreaterThan(looks + 3));
            gate.open();
            silent.awaitOpenConnections(0);
            int accepted = silent.connectionsAccepted();

            eventually(() -> assertThat(gateway.looksWhileDraining.get()).isGreaterThan(looks + 6));
            assertThat(silent.connectionsAccepted())
                    .as("none is opened afterwards")
                    .isEqualTo(accepted);
        }
    }

    @Test
    void connectsToNoOtherListener() throws Exception {
        ScriptedOrigin other = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("hello")));
        server = other;
        Standing gateway = new Standing("main", other.address());

        try (DemoTraffic traffic = DemoTraffic.start(gateway)) {
            assertThat(traffic).isNotNull();
            eventually(() -> assertThat(gateway.looks.get()).isGreaterThan(3));
        }

        assertThat(other.connectionsAccepted()).isZero();
    }

    /** A gateway with one listener. */
    private static final class Standing implements RunningGateway {
        private final Bound bound;
        final AtomicInteger looks = new AtomicInteger();
        final AtomicInteger looksWhileDraining = new AtomicInteger();
        volatile boolean draining;

        Standing(String name, InetSocketAddress address) {
            bound = new Bound(name, address);
        }

        @Override
        public List<Bound> listeners() {
            looks.incrementAndGet();
            return List.of(bound);
        }

        @Override
        public boolean isDraining() {
            if (draining) {
                looksWhileDraining.incrementAndGet();
            }
            return draining;
        }

        @Override
        public @Nullable InetSocketAddress admin() {
            return null;
        }

        @Override
        public boolean drain(Duration atMost) {
            return true;
        }

        @Override
        public void awaitClosed() {}

        @Override
        public void endDrain() {}

        @Override
        public void reload() {}

        @Override
        public void reopenLogs() {}

        @Override
        public SharedSockets sockets() {
            throw new UnsupportedOperationException("no sockets");
        }

        @Override
        public Duration drainTimeout() {
            return Duration.ZERO;
        }

        @Override
        public void onSettings(Consumer<GatewayConfig> action) {}

        @Override
        public void onUpgrade(ProcessUpgrade action) {}

        @Override
        public boolean isBroken() {
            return false;
        }
    }
}
