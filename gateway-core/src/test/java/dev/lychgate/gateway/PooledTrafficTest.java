package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.pool.CloseReason;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections to origins under traffic: few, reused, limited per process, and closed after their time. */
@ParameterizedClass
@EnumSource(names = {"AUTO", "NIO"})
@Tag("slow")
class PooledTrafficTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    Transport transport;

    private Setup to(ScriptedOrigin origin, PoolConfig pool) {
        return Setup.to(origin.address()).transport(transport).pool(pool);
    }

    @Test
    void disconnectingClientsDoNotCloseOriginConnections() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = to(origin, PoolConfig.DEFAULT).workers(2).start()) {
            for (int i = 0; i < 1000; i++) {
                try (RawClient client = gateway.client()) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                    assertThat(client.readResponse().body()).isEqualTo("x");
                }
            }
            assertThat(origin.connectionsAccepted()).isLessThanOrEqualTo(2);
            assertThat(gateway.pools().created()).isEqualTo(origin.connectionsAccepted());
            assertThat(gateway.pools().reused()).isGreaterThanOrEqualTo(998);
        }
    }

    @Test
    void noMoreConnectionsAreOpenedThanAllowedAndAllRequestsAreServed() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok(r.target())));
                Running gateway =
                        to(origin, new PoolConfig(3, 100, LONG, LONG, 0)).start()) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(gateway.client().send("GET /" + i + " HTTP/1.1\r\nHost: a\r\n\r\n"));
            }
            origin.awaitRequests(3);
            Eventually.eventually(() -> assertThat(gateway.pools().pending()).isEqualTo(17));
            gate.open();
            for (int i = 0; i < 20; i++) {
                assertThat(clients.get(i).readResponse().body()).isEqualTo("/" + i);
            }
            assertThat(origin.connectionsAccepted()).isEqualTo(3);
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void loopsShareASmallLimitAndNoRequestWaitsForAnIdleConnection() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = to(origin, new PoolConfig(1, 100, LONG, LONG, 0))
                        .workers(4)
                        .start()) {
            for (int i = 0; i < 8; i++) {
                try (RawClient client = gateway.client()) {
                    // Idle connections are kept for 30 s here: no client waits until one of them ages out.
                    assertThat(client.get("/").body()).isEqualTo("x");
                    // An origin on a busy machine detects a close of the gateway some time later.
                    Eventually.eventually(
                            () -> assertThat(origin.openConnections()).isLessThanOrEqualTo(2));
                }
            }
            assertThat(gateway.closedConnections(CloseReason.CONTENDED)).isPositive();
            assertThat(gateway.pools().idle()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void withoutAQueueConnectionsAreOpenedNevertheless() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway =
                        to(origin, new PoolConfig(2, 0, LONG, LONG, 0)).start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void anIdleConnectionIsClosedWhenItsTimeIsUp() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = to(origin, new PoolConfig(8, 8, Duration.ofMillis(200), LONG, 0))
                        .start();
                RawClient client = gateway.client()) {
            client.get("/");
            origin.awaitOpenConnections(0);
            assertThat(gateway.closedConnections(CloseReason.IDLE)).isEqualTo(1);
            assertThat(client.get("/").body()).isEqualTo("x");
        }
    }

    @Test
    void aConnectionCarriesAsManyRequestsAsItMay() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway =
                        to(origin, new PoolConfig(8, 8, LONG, LONG, 2)).start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 5; i++) {
                client.get("/");
            }
            assertThat(origin.connectionsAccepted()).isEqualTo(3);
            assertThat(gateway.closedConnections(CloseReason.REQUESTS)).isEqualTo(2);
        }
    }

    @Test
    void aMultiplexedConnectionThatHasCarriedAllItsRequestsIsCountedAsThat() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = Setup.to(origin.address())
                        .pool(new PoolConfig(8, 8, LONG, LONG, 1).speaking(UpstreamProtocol.H2))
                        .start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            Http2Client connection = origin.accept();
            connection.response(1);
            connection.respond(1, 200, "ok");
            assertThat(client.readResponse().body()).isEqualTo("ok");
            eventually(() ->
                    assertThat(gateway.closedConnections(CloseReason.REQUESTS)).isEqualTo(1));
            assertThat(gateway.closedConnections(CloseReason.LIFETIME)).isZero();
        }
    }
}
