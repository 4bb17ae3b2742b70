package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.ListenerTimeouts;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.SocketOptions;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.splice.Pipes;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedConnection;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TlsClient;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that stay in the kernel: clients and origins detect no difference. */
@Tag("slow")
class SplicedDownloadsTest {
    private static final int THRESHOLD = 128 << 10;
    private static final int MIB = 1 << 20;
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path directory;

    @BeforeEach
    void needsEpoll() {
        assumeTrue(Epoll.isAvailable(), "there is no epoll on this machine");
        assertThat(Pipes.open()).isZero();
    }

    /** Every pipe is closed with the gateway, regardless of its content. */
    @AfterEach
    void noPipeIsLeftBehind() throws Exception {
        eventually(() -> assertThat(Pipes.open()).isZero());
    }

    private static SocketOptions splicing() {
        return SocketOptions.DEFAULT.withSplice(new ByteSize(THRESHOLD));
    }

    private static Setup to(ScriptedOrigin origin) {
        return Setup.to(origin.address()).socket(splicing());
    }

    private static byte[] body(int length) {
        byte[] body = new byte[length];
        new Random(length).nextBytes(body);
        return body;
    }

    private static String head(long length, String... fields) {
        StringBuilder head = new StringBuilder("HTTP/1.1 200 OK\r\n");
        for (String field : fields) {
            head.append(field).append("\r\n");
        }
        return head.append("Content-Length: ").append(length).append("\r\n\r\n").toString();
    }

    /** Responds to {@code /N} with N bytes, different ones for each length. */
    private static void respond(RawMessage request, ScriptedConnection connection) throws IOException {
        int length = Integer.parseInt(request.target().substring(1));
        connection.send(head(length)).send(body(length));
    }

    private static void assertNext(RawClient client, int length) throws IOException {
        assertThat(client.readHead().value("content-length")).contains(Integer.toString(length));
        // Not by AssertJ's own: it would print megabytes.
        assertThat(Arrays.equals(client.readBytes(length), body(length))).isTrue();
    }

    private static void get(RawClient client, int length) throws IOException {
        client.send("GET /" + length + " HTTP/1.1\r\nHost: a\r\n\r\n");
        assertNext(client, length);
    }

    @ParameterizedTest
    @ValueSource(ints = {THRESHOLD, THRESHOLD + 1, 200_001, MIB - 1, MIB, 20 * MIB + 7})
    void aLongBodyArrivesWholeAndBothConnectionsAreUsedAgain(int length) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(SplicedDownloadsTest::respond);
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            get(client, length);
            assertThat(Pipes.open()).isPositive();
            get(client, 5);
            get(client, length);
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
            assertThat(gateway.nextOutcome().responseBytes()).isEqualTo(length);
            assertThat(gateway.nextOutcome().responseBytes()).isEqualTo(5);
            Outcome last = gateway.nextOutcome();
            assertThat(last.responseBytes()).isEqualTo(length);
            assertThat(last.error()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, THRESHOLD - 1})
    void aShortBodyIsCopied(int length) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(SplicedDownloadsTest::respond);
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            get(client, length);
            assertThat(Pipes.open()).isZero();
        }
    }

    @Test
    void splicesOnlyIfTheListenerEnablesIt() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(SplicedDownloadsTest::respond);
                Running gateway = to(origin).socket(SocketOptions.DEFAULT).start();
                RawClient client = gateway.client()) {
            get(client, MIB);
            assertThat(Pipes.open()).isZero();
        }
    }

    @Test
    void anotherTransportCopies() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(SplicedDownloadsTest::respond);
                Running gateway = to(origin).transport(Transport.NIO).start();
                RawClient client = gateway.client()) {
            get(client, MIB);
            assertThat(Pipes.open()).isZero();
        }
    }

    @Test
    void pipelinedRequestsGetTheirResponsesInOrder() throws Exception {
        int[] lengths = {MIB, 3, THRESHOLD, 0, 3 * MIB, 200_000, MIB};
        try (ScriptedOrigin origin = ScriptedOrigin.answering(SplicedDownloadsTest::respond);
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            StringBuilder all = new StringBuilder();
            for (int length : lengths) {
                all.append("GET /").append(length).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            client.send(all.toString());
            for (int length : lengths) {
                assertNext(client, length);
            }
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    void anHttp10ClientGetsItTooFollowedByTheClose() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(SplicedDownloadsTest::respond);
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send("GET /" + MIB + " HTTP/1.0\r\n\r\n");
            assertNext(client, MIB);
            client.expectClosed();
            assertThat(Pipes.open()).isPositive();
        }
    }

    @Test
    void responsesWithoutABodyHaveNone() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
                    String status = r.target().substring(1);
                    c.send("HTTP/1.1 " + status + " Scripted\r\n"
                            + (status.equals("204") ? "\r\n" : "Content-Length: 1000000\r\n\r\n"));
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send("HEAD /200 HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readResponseTo("HEAD").status()).isEqualTo(200);
            assertThat(client.get("/304").status()).isEqualTo(304);
            assertThat(client.get("/204").status()).isEqualTo(204);
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
            assertThat(Pipes.open()).isZero();
        }
    }

    @Test
    void aBodyOfChunksIsCopied() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n")
                                .send(body(MIB))
                                .send("\r\n0\r\n\r\n"));
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).hasSize(MIB);
            assertThat(Pipes.open()).isZero();
        }
    }

    @Test
    void aClientThatDoesNotReadPausesTheOrigin() throws Exception {
        int length = 64 * MIB;
        byte[] whole = body(length);
        var sender = new CompletableFuture<ScriptedConnection>();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.within(Duration.ofSeconds(60)).readRequest();
                    sender.complete(c);
                    c.send(head(length)).send(whole);
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client().within(Duration.ofSeconds(60))) {
            client.send(GET);
            ScriptedConnection sending = sender.get(10, TimeUnit.SECONDS);
            long before = -1;
            for (long now = sending.bytesSent(); now == 0 || now != before; now = sending.bytesSent()) {
                before = now;
                TimeUnit.MILLISECONDS.sleep(300);
            }
            assertThat(before).isLessThan(length);
            eventually(() -> assertThat(Pipes.open()).isBetween(1L, 40L));
            assertNext(client, length);
            assertThat(gateway.nextOutcome().responseBytes()).isEqualTo(length);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {160, 224, 288, 384, 512, 1024})
    void bytesSentBeforeACloseReachASlowReader(int kibibytes) throws Exception {
        SocketOptions small = new SocketOptions(
                        64, false, new ByteSize(0), ByteSize.ofKiB(16), ByteSize.ofKiB(16), ByteSize.ofKiB(32))
                .withSplice(new ByteSize(THRESHOLD));
        int length = kibibytes << 10;
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(head(length, "Connection: close")).send(body(length));
                });
                Running gateway = to(origin).socket(small).start();
                RawClient client =
                        RawClient.connectWithReceiveBuffer(gateway.gateway().address("main"), 4096)) {
            client.send(GET);
            origin.awaitRequests(1);
            TimeUnit.MILLISECONDS.sleep(200);
            assertNext(client, length);
            assertThat(gateway.nextOutcome().error()).isNull();
        }
    }

    @Test
    void anOriginThatClosesTooEarlyCausesAnIncompleteResponse() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(head(4 * MIB)).send(body(MIB));
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(GET);
            client.readHead();
            assertThat(client.readUntilClose()).hasSize(MIB);
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.error()).isEqualTo(ErrorKind.ORIGIN_RESET);
            assertThat(outcome.responseBytes()).isEqualTo(MIB);
        }
    }

    @Test
    void anOriginThatResetsCausesAnIncompleteResponse() throws Exception {
        Gate half = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(head(4 * MIB)).send(body(MIB));
                    c.stallUntil(half).reset();
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(GET);
            client.readHead();
            client.readBytes(MIB);
            half.open();
            assertThat(client.readUntilClose()).isEmpty();
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.ORIGIN_RESET);
        }
    }

    @Test
    void aClientThatResetsEndsIt() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(head(100 * MIB));
                    assertThatThrownBy(() -> c.send(new byte[100 * MIB])).isInstanceOf(SocketException.class);
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(GET);
            client.readHead();
            client.readBytes(MIB);
            client.reset();
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void aClientThatDoesNotReadTimesOut() throws Exception {
        ListenerTimeouts d = ListenerTimeouts.DEFAULT;
        SocketOptions small = new SocketOptions(
                        64, false, new ByteSize(0), ByteSize.ofKiB(16), ByteSize.ofKiB(16), ByteSize.ofKiB(32))
                .withSplice(new ByteSize(THRESHOLD));
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(head(100 * MIB));
                    assertThatThrownBy(() -> c.send(new byte[100 * MIB])).isInstanceOf(SocketException.class);
                });
                Running gateway = to(origin)
                        .socket(small)
                        .clients(new ListenerTimeouts(
                                d.requestHead(), d.requestBody(), d.idle(), Duration.ofMillis(500)))
                        .start();
                RawClient client =
                        RawClient.connectWithReceiveBuffer(gateway.gateway().address("main"), 8192)) {
            client.send(GET);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_STALLED);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void anOriginThatStopsSendingTimesOut() throws Exception {
        Duration usual = Duration.ofSeconds(10);
        RouteTimeouts timeouts = Setup.waiting(usual, usual, usual, Duration.ofSeconds(1), usual);
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(head(4 * MIB)).send(body(MIB)).awaitEnd();
                });
                Running gateway = to(origin).timeouts(timeouts).start();
                RawClient client = gateway.client()) {
            client.send(GET);
            client.readHead();
            assertThat(client.readUntilClose()).hasSize(MIB);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.RESPONSE_BODY_TIMEOUT);
        }
    }

    @Test
    void theTimeoutOfTheExchangeEndsItToo() throws Exception {
        Duration usual = Duration.ofSeconds(10);
        RouteTimeouts timeouts = Setup.waiting(usual, usual, usual, usual, Duration.ofMillis(1200));
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(head(4 * MIB)).send(body(MIB)).awaitEnd();
                });
                Running gateway = to(origin).timeouts(timeouts).start();
                RawClient client = gateway.client()) {
            client.send(GET);
            client.readHead();
            assertThat(client.readUntilClose()).hasSize(MIB);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.EXCHANGE_TIMEOUT);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void bytesBeyondTheLengthBelongToNoResponse() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            c.readRequest();
                            byte[] surplus = Arrays.copyOf(body(MIB), MIB + 100);
                            c.send(head(MIB)).send(surplus);
                            c.awaitEnd();
                        })
                        .onConnection(c -> c.answerEvery(SplicedDownloadsTest::respond));
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(GET);
            assertNext(client, MIB);
            get(client, 2 * MIB);
            assertThat(origin.connectionsAccepted()).isEqualTo(2);
        }
    }

    @Test
    void aDownloadThatIsUnderWayIsFinishedWhenTheGatewayDrains() throws Exception {
        Gate rest = new Gate();
        byte[] body = body(2 * MIB);
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(head(2 * MIB)).send(Arrays.copyOf(body, MIB));
                    c.stallUntil(rest).send(Arrays.copyOfRange(body, MIB, 2 * MIB));
                    c.awaitEnd();
                });
                Running gateway = to(origin).start();
                RawClient client = gateway.client()) {
            client.send(GET);
            client.readHead();
            byte[] first = client.readBytes(MIB);
            CompletableFuture<Integer> cut = CompletableFuture.supplyAsync(() -> gateway.drain(Duration.ofSeconds(10)));
            TimeUnit.MILLISECONDS.sleep(100);
            rest.open();
            byte[] second = client.readUntilClose();
            assertThat(Arrays.equals(first, 0, MIB, body, 0, MIB)).isTrue();
            assertThat(Arrays.equals(second, 0, second.length, body, MIB, 2 * MIB))
                    .isTrue();
            assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
        }
    }

    private static Filter outbound(BodyNeed need) {
        return new SyncFilter() {
            @Override
            public String name() {
                return "looks";
            }

            @Override
            public FilterPhase phase() {
                return FilterPhase.OUTBOUND;
            }

            @Override
            public BodyNeed body() {
                return need;
            }

            @Override
            public FilterOutcome filter(FilterExchange exchange) {
                exchange.getResponse().getHeaders().set("x-seen", "yes");
                return FilterOutcome.proceed();
            }
        };
    }

    @Test
    void aFilterThatReadsTheBodyPreventsSplicing() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(SplicedDownloadsTest::respond);
                Running gateway = to(origin)
                        .filters(FilterSet.of(outbound(BodyNeed.whole(4 * MIB))))
                        .start();
                RawClient client = gateway.client()) {
            get(client, MIB);
            assertThat(Pipes.open()).isZero();
        }
    }

    @Test
    void aFilterThatReadsOnlyTheHeadDoesNotPreventSplicing() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(SplicedDownloadsTest::respond);
                Running gateway = to(origin)
                        .filters(FilterSet.of(outbound(BodyNeed.NONE)))
                        .start();
                RawClient client = gateway.client()) {
            client.send("GET /" + MIB + " HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readHead().value("x-seen")).contains("yes");
            assertThat(Arrays.equals(client.readBytes(MIB), body(MIB))).isTrue();
            assertThat(Pipes.open()).isPositive();
        }
    }

    @Test
    void tlsWithTheClientPreventsSplicing() throws Exception {
        Certificates ca = Certificates.authority("Test Authority");
        TlsConfig site = TlsConfig.of(Certificates.pem(directory, "site", ca.issue("lychgate.test")));
        try (ScriptedOrigin origin = ScriptedOrigin.answering(SplicedDownloadsTest::respond);
                Running gateway = to(origin).tls(site).start();
                TlsClient client =
                        TlsClient.connect(gateway.gateway().address("main"), ca.context(null), "lychgate.test")) {
            get(client.raw(), MIB);
            assertThat(Pipes.open()).isZero();
        }
    }

    @Test
    void tlsWithTheOriginPreventsSplicing() throws Exception {
        Certificates ca = Certificates.authority("Test Authority");
        OriginTlsConfig tls = OriginTlsConfig.DEFAULT.withCa(ca.writeCa(directory, "ca.pem"));
        try (ScriptedOrigin origin = ScriptedOrigin.answering(SplicedDownloadsTest::respond)
                        .overTls(ca.context(ca.issue("127.0.0.1")), false);
                Running gateway = new Setup()
                        .socket(splicing())
                        .upstream(
                                UpstreamConfig.of("origin", EndpointConfig.parse("https://127.0.0.1:" + origin.port()))
                                        .withTls(tls))
                        .start();
                RawClient client = gateway.client()) {
            get(client, MIB);
            assertThat(Pipes.open()).isZero();
        }
    }

    @Test
    void manyLengthsByManyClientsAllArriveWhole() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays(SplicedDownloadsTest::respond);
                Running gateway = to(origin).workers(2).start()) {
            CompletableFuture<?>[] all = new CompletableFuture<?>[6];
            for (int i = 0; i < all.length; i++) {
                long seed = i;
                all[i] = CompletableFuture.runAsync(
                        () -> downloadAtRandom(gateway, new Random(seed)),
                        task -> new Thread(task, "client-" + seed).start());
            }
            CompletableFuture.allOf(all).get(60, TimeUnit.SECONDS);
        }
    }

    /** Some are read to their end, on one connection after the other; some are aborted. */
    private static void downloadAtRandom(Running gateway, Random random) {
        for (int connection = 0; connection < 4; connection++) {
            try (RawClient client = gateway.client()) {
                for (int i = 0; i < 6; i++) {
                    get(client, THRESHOLD / 2 + random.nextInt(MIB));
                }
                client.send("GET /" + 2 * MIB + " HTTP/1.1\r\nHost: a\r\n\r\n");
                client.readHead();
                client.readBytes(random.nextInt(MIB));
                client.reset();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }
}
