package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** More clients send requests in one turn of the event loop than it forwards in one turn. */
@ParameterizedClass
@EnumSource(names = {"AUTO", "NIO"})
@Tag("slow")
class CrowdedTurnsTest {
    private static final int CLIENTS = 150;
    private static final Duration LONG = Duration.ofSeconds(30);

    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    Transport transport;

    private final AtomicBoolean free = new AtomicBoolean();
    private final AtomicLong rounds = new AtomicLong();

    private Running gateway(ScriptedOrigin origin) {
        return Setup.to(origin.address())
                .transport(transport)
                .pool(new PoolConfig(CLIENTS, 0, LONG, LONG, 0))
                .start();
    }

    /** Keeps the gateway's only loop from polling its sockets, until it is {@link #free}. */
    private void occupy(Running gateway) throws InterruptedException {
        EventExecutor loop = gateway.gateway().loops().iterator().next();
        CountDownLatch busy = new CountDownLatch(1);
        loop.execute(() -> {
            busy.countDown();
            // Busy, and not waiting, which loops are not to do.
            while (!free.get()) {
                rounds.incrementAndGet();
            }
        });
        busy.await();
    }

    private static List<RawClient> clients(Running gateway) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            RawClient client = gateway.client();
            // Accepted, so that all requests arrive in one turn.
            assertThat(client.get("/known").status()).isEqualTo(200);
            clients.add(client);
        }
        return clients;
    }

    @Test
    void sendsAllRequestsEvenIfNoneGetsAResponse() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((r, c) -> {
                    if (!r.target().equals("/known")) {
                        c.stallUntil(gate);
                    }
                    c.send(Responses.ok(r.target() + r.body()));
                });
                Running gateway = gateway(origin)) {
            List<RawClient> clients = clients(gateway);
            occupy(gateway);
            for (int i = 0; i < CLIENTS; i++) {
                boolean uploads = i % 2 == 0;
                clients.get(i)
                        .send((uploads ? "POST /" : "GET /") + i + " HTTP/1.1\r\nHost: a\r\n"
                                + (uploads ? "Content-Length: 4\r\n\r\nbody" : "\r\n"));
            }
            free.set(true);
            origin.awaitRequests(2 * CLIENTS);
            gate.open();
            for (int i = 0; i < CLIENTS; i++) {
                String body = clients.get(i).readResponse().body();
                assertThat(body).isEqualTo("/" + i + (i % 2 == 0 ? "body" : ""));
            }
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void aClientThatLeavesDoesNotAffectOtherWaitingClients() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((r, c) -> c.send(Responses.ok(r.target())));
                Running gateway = gateway(origin)) {
            List<RawClient> clients = clients(gateway);
            occupy(gateway);
            for (int i = 0; i < CLIENTS; i++) {
                clients.get(i).send("GET /" + i + " HTTP/1.1\r\nHost: a\r\n\r\n");
                if (i % 3 == 0) {
                    clients.get(i).reset();
                }
            }
            free.set(true);
            for (int i = 0; i < CLIENTS; i++) {
                if (i % 3 != 0) {
                    assertThat(clients.get(i).readResponse().body()).isEqualTo("/" + i);
                }
            }
            Eventually.eventually(() -> assertThat(gateway.pools().busy()).isZero());
            clients.forEach(RawClient::close);
        }
    }
}
