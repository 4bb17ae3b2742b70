package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The head and the kept body of a request that is sent to a second origin. */
@Tag("slow")
class RepeatedRequestsTest {
    private static final RetryConfig RETRIES = new RetryConfig(
            2,
            List.of("503"),
            Duration.ZERO,
            RetryConfig.Backoff.DEFAULT,
            Duration.ofSeconds(10),
            ByteSize.ofKiB(64),
            true,
            null);

    private final AtomicInteger requests = new AtomicInteger();

    /** Rejects every other request of both origins; responds with its name and the received {@code Host}. */
    private ScriptedOrigin origin(String name) {
        return ScriptedOrigin.answeringWhoStays((r, c) -> c.send(
                requests.incrementAndGet() % 2 == 1
                        ? "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"
                        : Responses.ok(name + " " + r.value("host").orElse(""))));
    }

    @Test
    void carryTheHostOfTheirOwnEndpointEvenIfItIsThatOfTheClient() throws Exception {
        UpstreamResilience generous =
                new UpstreamResilience(new RetryBudgetConfig(new Percent(100), 1000), null, null, null);
        try (ScriptedOrigin a = origin("a");
                ScriptedOrigin b = origin("b");
                Running gateway = new Setup()
                        .upstream(UpstreamConfig.of(
                                        "origin",
                                        new EndpointConfig("127.0.0.1", a.port()),
                                        new EndpointConfig("127.0.0.1", b.port()))
                                .withResilience(generous))
                        .rewriting(new RewriteConfig(0, null, "origin", false))
                        .retrying(RETRIES)
                        .start();
                RawClient client = gateway.client()) {
            for (ScriptedOrigin named : List.of(a, b, a, b)) {
                client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:" + named.port() + "\r\n\r\n");
                assertThat(client.readResponse().body()).isIn("a 127.0.0.1:" + a.port(), "b 127.0.0.1:" + b.port());
            }
        }
    }

    @Test
    @SuppressWarnings("try") // the scarcity is only held
    void failIfTheirKeptBodyIsReclaimedBeforeTheNextAttempt() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((r, c) -> {
                    requests.incrementAndGet();
                    c.send("HTTP/1.1 503 No\r\nRetry-After: 3\r\nContent-Length: 0\r\n\r\n");
                });
                Running gateway = Setup.to(origin.address()).retrying(RETRIES).start();
                RawClient client = gateway.client();
                RawClient other = gateway.client();
                RawClient third = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n" + "x".repeat(10_000));
            eventually(() -> assertThat(requests).hasValue(1));
            long before = MemoryBudget.OF_PROCESS.reclaimed();
            try (Scarcity scarcity = Scarcity.leaving(0)) {
                String half = "GET / HTTP/1.1\r\nHost: a\r\n" + ("x-padding: " + "p".repeat(1000) + "\r\n").repeat(50);
                other.send(half);
                third.send(half);
                eventually(() -> assertThat(MemoryBudget.OF_PROCESS.reclaimed()).isGreaterThan(before));
            }
            assertThat(client.readResponse().body())
                    .contains("no memory is left to keep the request body for another attempt");
            assertThat(requests).hasValue(1);
        }
    }
}
