package dev.lychgate.gateway;

import static dev.lychgate.testing.Http2Client.HEADERS;
import static dev.lychgate.testing.Http2Client.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import io.netty.util.CharsetUtil;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Unfinished requests share one budget of memory: the one that exceeds it is aborted, and others are served. */
@SuppressWarnings("try") // resources that only have to be there
@Tag("slow")
class UnfinishedRequestsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String FIELDS = ("x-padding: " + "p".repeat(1000) + "\r\n").repeat(50);

    private record Whole(FilterPhase phase) implements SyncFilter {
        @Override
        public String name() {
            return "whole";
        }

        @Override
        public BodyNeed body() {
            return BodyNeed.whole(1 << 20);
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.proceed();
        }
    }

    private static ScriptedOrigin echo() {
        return ScriptedOrigin.answeringWhoStays(
                (r, c) -> c.send(Responses.ok("got " + r.body().length())));
    }

    private static RawClient halfHead(Running gateway) throws Exception {
        return gateway.client().within(LONG).send("GET / HTTP/1.1\r\nHost: a\r\n" + FIELDS);
    }

    private static void awaitHeld(long bytes) throws Exception {
        Eventually.eventually(
                LONG, () -> assertThat(MemoryBudget.OF_PROCESS.left()).isLessThan(bytes));
    }

    @Test
    void reclaimsTheOldestUnfinishedHead() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Scarcity scarcity = Scarcity.leaving(180_000);
                RawClient first = halfHead(gateway)) {
            awaitHeld(180_000);
            try (RawClient second = halfHead(gateway);
                    RawClient third = halfHead(gateway)) {
                assertThat(first.readResponse().status()).isEqualTo(503);
                first.expectClosed();
                assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.OVERLOADED);
                try (RawClient other = gateway.client()) {
                    assertThat(other.within(LONG).get("/").body()).isEqualTo("got 0");
                }
                assertThat(third.send("\r\n").readResponse().status()).isEqualTo(200);
            }
        }
    }

    /** They are refused one after the other, and each of them is. */
    @Test
    void everyOneOfManyUnfinishedHeadsGetsAResponse() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Scarcity scarcity = Scarcity.leaving(180_000)) {
            for (int i = 0; i < 50; i++) {
                clients.add(halfHead(gateway));
            }
            for (int i = 0; i < 46; i++) {
                assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.OVERLOADED);
            }
            try (RawClient other = gateway.client()) {
                assertThat(other.within(LONG).get("/").body()).isEqualTo("got 0");
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    /** Each of them would be retained until its body arrives. */
    @Test
    void largeHeadsWithoutTheirBodiesAreRefusedAndUsualRequestsServed() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Scarcity scarcity = Scarcity.leaving(200_000)) {
            for (int i = 0; i < 10; i++) {
                RawClient client = gateway.client().within(LONG);
                clients.add(client);
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n" + FIELDS + "\r\n");
                origin.awaitConnections(1);
            }
            for (int i = 0; i < 9; i++) {
                assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.OVERLOADED);
            }
            try (RawClient other = gateway.client()) {
                assertThat(other.within(LONG).get("/").body()).isEqualTo("got 0");
            }
            assertThat(clients.get(0).send("0123456789").readResponse().body()).isEqualTo("got 10");
            assertThat(clients.get(9).readResponse().status()).isEqualTo(503);
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void largeHttp2HeadsWithoutTheirBodiesAreRefused() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Scarcity scarcity = Scarcity.leaving(200_000);
                Http2Client client = gateway.http2().within(LONG)) {
            for (int stream = 1; stream <= 7; stream += 2) {
                client.headers(
                        stream,
                        NONE,
                        Http2Client.request("POST", "/", "content-length", "10", "x-padding", "p".repeat(15_000)));
            }
            client.sync();
            client.headers(
                    9, NONE, Http2Client.request("POST", "/", "content-length", "10", "x-padding", "p".repeat(15_000)));
            assertThat(client.response(9).status()).isEqualTo(503);
            client.data(1, "0123456789", true);
            assertThat(client.response(1).body()).isEqualTo("got 10");
        }
    }

    @Test
    void anUnfinishedResponseHeadIsRefused() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((r, c) ->
                        c.send(r.target().equals("/half") ? "HTTP/1.1 200 OK\r\n" + FIELDS : Responses.ok("whole")));
                Running gateway = Setup.to(origin.address()).start();
                Scarcity scarcity = Scarcity.leaving(20_000);
                RawClient client = gateway.client().within(LONG)) {
            assertThat(client.get("/half").status()).isEqualTo(503);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.OVERLOADED);
            assertThat(client.get("/").body()).isEqualTo("whole");
        }
    }

    @Test
    void anUnfinishedHeaderBlockOfAnOriginIsRefused() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = Setup.to(origin.address())
                        .pool(PoolConfig.DEFAULT.speaking(UpstreamProtocol.H2))
                        .start();
                RawClient client = gateway.client().within(LONG)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            Http2Client connection = origin.accept().within(LONG);
            connection.asked(1);
            try (Scarcity scarcity = Scarcity.leaving(2000)) {
                sendUntilClosed(connection, Http2Client.block("x-padding", "p".repeat(15_000)));
                assertThat(client.readResponse().status()).isEqualTo(503);
                assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.OVERLOADED);
            }
        }
    }

    /** The gateway closes the connection at the first bytes that it refuses, perhaps before the last ones are written. */
    private static void sendUntilClosed(Http2Client connection, byte[] block) {
        try {
            connection.frame(HEADERS, NONE, 1, block);
        } catch (IOException e) {
            assertThat(e).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void anUnfinishedTrailerSectionIsRefused() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Scarcity scarcity = Scarcity.leaving(20_000);
                RawClient client = gateway.client().within(LONG)) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + FIELDS);
            assertThat(client.readResponse().status()).isEqualTo(503);
            client.expectClosed();
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.OVERLOADED);
        }
    }

    /** Its chunks end in other places than its reads; other requests have used up the memory. */
    @Test
    void anUploadThatOnlyPassesThroughIsNotAborted() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Scarcity scarcity = Scarcity.leaving(0);
                RawClient client = gateway.client().within(LONG)) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.sendSlowly("10\r\n0123456789abcdef\r\n".repeat(100), 60, Duration.ofMillis(2));
            assertThat(client.send("0\r\n\r\n").readResponse().body()).isEqualTo("got 1600");
        }
    }

    @Test
    void requestsBehindAnotherThatExceedItAreNotServed() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((r, c) -> {
                    gate.await();
                    c.send(Responses.ok("first"));
                });
                Running gateway = Setup.to(origin.address()).start();
                Scarcity scarcity = Scarcity.leaving(20_000);
                RawClient client = gateway.client().within(LONG)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n" + FIELDS + "\r\n");
            origin.awaitRequests(1);
            gate.open();
            assertThat(client.readResponse().body()).isEqualTo("first");
            client.expectClosed();
            assertThat(origin.requests()).hasSize(1);
        }
    }

    @Test
    void aResponseIsNotLostIfTheClientSendsMoreThanTheGatewayReads() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((r, c) -> {
                    gate.await();
                    c.send(Responses.ok("first"));
                });
                Running gateway = Setup.to(origin.address()).start();
                Scarcity scarcity = Scarcity.leaving(20_000);
                RawClient client = gateway.client().within(LONG)) {
            client.send(
                    "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n" + FIELDS + "x".repeat(100_000));
            origin.awaitRequests(1);
            gate.open();
            assertThat(client.readResponse().body()).isEqualTo("first");
            client.expectClosed();
        }
    }

    @Test
    void anUnfinishedHeaderBlockEndsItsConnection() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Scarcity scarcity = Scarcity.leaving(2000);
                Http2Client client = gateway.http2().within(LONG).answeringNothing()) {
            byte[] block = Http2Client.block("x-padding", "p".repeat(15_000));
            client.frame(HEADERS, NONE, 1, block);
            assertThat(client.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM);
        }
    }

    @Test
    void everyOneOfManyUnfinishedHeaderBlocksEndsItsConnection() throws Exception {
        List<Http2Client> clients = new ArrayList<>();
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Scarcity scarcity = Scarcity.leaving(60_000)) {
            long before = MemoryBudget.OF_PROCESS.reclaimed();
            byte[] block = Http2Client.block("x-padding", "p".repeat(15_000));
            for (int i = 0; i < 40; i++) {
                // An acknowledgement of settings would be an error within the header block.
                Http2Client client = gateway.http2().within(LONG).answeringNothing();
                clients.add(client);
                client.frame(HEADERS, NONE, 1, block);
            }
            Eventually.eventually(
                    LONG,
                    () -> assertThat(MemoryBudget.OF_PROCESS.reclaimed() - before)
                            .isGreaterThanOrEqualTo(34));
            for (Http2Client client : clients.subList(0, 34)) {
                assertThat(client.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM);
            }
        } finally {
            for (Http2Client client : clients) {
                client.close();
            }
        }
    }

    @Test
    void aBodyThatAFilterNeedsWholeIsRefused() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(new Whole(FilterPhase.INBOUND)))
                        .start();
                RawClient client = gateway.client().within(LONG);
                RawClient other = gateway.client().within(LONG)) {
            try (Scarcity scarcity = Scarcity.leaving(100_000)) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n" + "b".repeat(400_000));
                assertThat(client.readResponse().status()).isEqualTo(503);
                assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.OVERLOADED);
                assertThat(other.get("/").body()).isEqualTo("got 0");
            }
            other.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n" + "b".repeat(500_000));
            assertThat(other.readResponse().body()).isEqualTo("got 500000");
        }
    }

    @Test
    void aResponseThatAFilterNeedsWholeIsRefused() throws Exception {
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answeringWhoStays((r, c) -> c.send(Responses.ok("b".repeat(500_000))));
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(new Whole(FilterPhase.OUTBOUND)))
                        .start();
                RawClient client = gateway.client().within(LONG)) {
            try (Scarcity scarcity = Scarcity.leaving(100_000)) {
                assertThat(client.get("/").status()).isEqualTo(503);
            }
            assertThat(client.get("/").body()).hasSize(500_000);
        }
    }

    /** Each chunk of one byte arrives in a separate read: the buffers of the reads are not kept. */
    @Test
    void aBodyOfSingleBytesTakesNoMoreThanItsLength() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(new Whole(FilterPhase.INBOUND)))
                        .start();
                RawClient client = gateway.client().within(LONG)) {
            long before = MemoryBudget.OF_PROCESS.held();
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.sendSlowly("1\r\nx\r\n".repeat(200), 200, Duration.ofMillis(1));
            assertThat(MemoryBudget.OF_PROCESS.held() - before).isLessThan(100_000);
            client.send("0\r\n\r\n".getBytes(CharsetUtil.US_ASCII));
            assertThat(client.readResponse().body()).isEqualTo("got 200");
        }
    }
}
