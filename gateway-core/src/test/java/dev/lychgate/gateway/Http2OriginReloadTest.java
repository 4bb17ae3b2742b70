package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static dev.lychgate.testing.Http2Client.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** HTTP/2 connections to an origin that a reload no longer names, or that are there when the gateway drains. */
@SuppressWarnings("NullAway.Init") // by JUnit
@Tag("slow")
class Http2OriginReloadTest {
    private static final PoolConfig H2 = PoolConfig.DEFAULT.speaking(UpstreamProtocol.H2);

    private Http2Origin old;
    private Http2Origin other;
    private Running gateway;
    private Http2Client client;

    @BeforeEach
    void start() throws Exception {
        old = Http2Origin.start();
        other = Http2Origin.start();
        gateway = Setup.to(old.address()).pool(H2).start();
        client = gateway.http2();
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        gateway.close();
        other.close();
        old.close();
    }

    private static GatewayConfig to(Http2Origin origin) {
        return Setup.to(origin.address()).pool(H2).config();
    }

    /** @param idle how many connections are kept */
    private void assertKept(int idle) throws Exception {
        eventually(() -> {
            PoolCounters pools = gateway.pools();
            assertThat(pools.busy() + pools.connecting() + pools.pending()).isZero();
            assertThat(pools.idle()).isEqualTo(idle);
        });
    }

    @Test
    void unusedConnectionsAreClosedAtOnce() throws Exception {
        client.get(1, "/a");
        Http2Client connection = old.accept();
        connection.asked(1);
        connection.respond(1, 200, "a");
        assertThat(client.response(1).body()).isEqualTo("a");
        eventually(() -> assertThat(gateway.pools().idle()).isEqualTo(1));

        gateway.gateway().apply(to(other));
        assertThat(connection.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.NO_ERROR);
        assertKept(0);
    }

    @Test
    void streamsUnderWayFinishAndTheConnectionClosesBehindTheLast() throws Exception {
        client.get(1, "/a");
        Http2Client first = old.accept();
        first.asked(1);
        first.headers(1, NONE, ":status", "200").data(1, "half ", false);
        client.post(3, "/b", "content-length", "4").data(3, "up", false);
        first.await("an upload", () -> first.stream(3).bytes() == 2);
        client.await("half an answer", () -> client.stream(1).bytes() == 5);

        gateway.gateway().apply(to(other));
        client.get(5, "/c");
        Http2Client second = other.accept();
        second.asked(1);
        second.respond(1, 200, "c");
        assertThat(client.response(5).body()).isEqualTo("c");

        first.sync();
        assertThat(first.goAways()).isEmpty();
        first.data(1, "an answer", true);
        assertThat(client.response(1).body()).isEqualTo("half an answer");
        first.sync();
        assertThat(first.goAways()).isEmpty();
        client.data(3, "on", true);
        assertThat(first.response(3).body()).isEqualTo("upon");
        first.respond(3, 200, "b");
        assertThat(client.response(3).body()).isEqualTo("b");
        assertThat(first.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.NO_ERROR);
        assertKept(1);
    }

    @Test
    void aClientThatLeavesIsTheLastToo() throws Exception {
        client.get(1, "/a");
        Http2Client first = old.accept();
        first.asked(1);
        gateway.gateway().apply(to(other));
        client.cancel(1);
        first.awaitGoAwayAndEnd();
        assertKept(0);
    }

    @Test
    void anEndpointThatIsConfiguredAgainKeepsItsConnection() throws Exception {
        client.get(1, "/a");
        Http2Client first = old.accept();
        first.asked(1);
        gateway.gateway().apply(to(other));
        gateway.gateway().apply(to(old));
        client.get(3, "/b");
        first.asked(3);
        first.respond(3, 200, "b").respond(1, 200, "a");
        assertThat(client.response(3).body()).isEqualTo("b");
        assertThat(client.response(1).body()).isEqualTo("a");
        client.get(5, "/c");
        first.asked(5);
        first.respond(5, 200, "c");
        assertThat(client.response(5).body()).isEqualTo("c");
        assertThat(first.goAways()).isEmpty();
        assertKept(1);
    }

    @Test
    void anOriginThatLeavesFirstChangesNothing() throws Exception {
        client.get(1, "/a");
        Http2Client first = old.accept();
        first.asked(1);
        gateway.gateway().apply(to(other));
        first.goAway(1);
        first.respond(1, 200, "a");
        assertThat(client.response(1).body()).isEqualTo("a");
        first.awaitEnd();
        assertKept(0);
    }

    @Test
    void aDrainLetsThemFinishAndThenClosesThem() throws Exception {
        client.get(1, "/a");
        Http2Client first = old.accept();
        first.asked(1);
        first.headers(1, NONE, ":status", "200").data(1, "half ", false);
        client.await("half an answer", () -> client.stream(1).bytes() == 5);
        CompletableFuture<Integer> cut = CompletableFuture.supplyAsync(() -> gateway.drain(Duration.ofSeconds(20)));
        client.awaitGoAway(1);
        first.sync();
        first.data(1, "an answer", true);
        assertThat(client.response(1).body()).isEqualTo("half an answer");
        first.awaitGoAwayAndEnd();
        client.close();
        assertThat(cut.get(20, TimeUnit.SECONDS)).isZero();
    }
}
