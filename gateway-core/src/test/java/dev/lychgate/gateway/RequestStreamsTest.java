package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static dev.lychgate.testing.Http2Client.END_STREAM;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.ConnectionScript;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RawMessage.Field;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import dev.lychgate.testing.WebSockets;
import io.netty.util.concurrent.DefaultPromise;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Publishers of request bodies and trailers of requests: framing, attempts, ends and failures. */
@Tag("slow")
class RequestStreamsTest {
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: a\r\n";
    private static final String CHUNKED = HEAD + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n";
    private static final String WITH_LENGTH = HEAD + "Content-Length: 4\r\n\r\nabcd";
    private static final PoolConfig H2 = PoolConfig.DEFAULT.speaking(UpstreamProtocol.H2);

    private static Flow.Publisher<byte[]> inCapitals(Flow.Publisher<byte[]> body) {
        return new Mapped(body, RequestStreamsTest::upper);
    }

    /** A publisher that maps each chunk of another one. */
    private record Mapped(Flow.Publisher<byte[]> body, UnaryOperator<byte[]> change) implements Flow.Publisher<byte[]> {
        @Override
        public void subscribe(Flow.Subscriber<? super byte[]> by) {
            body.subscribe(new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription subscription) {
                    by.onSubscribe(subscription);
                }

                @Override
                public void onNext(byte[] item) {
                    by.onNext(change.apply(item));
                }

                @Override
                public void onError(Throwable failure) {
                    by.onError(failure);
                }

                @Override
                public void onComplete() {
                    by.onComplete();
                }
            });
        }
    }

    /** A publisher that emits the signals of the test and does not read the received body. */
    private static final class ByHand implements Flow.Publisher<byte[]>, Flow.Subscription {
        final AtomicReference<Flow.Subscriber<? super byte[]>> by = new AtomicReference<>();
        final AtomicInteger requested = new AtomicInteger();
        final Gate cancelled = new Gate();

        @Override
        public void subscribe(Flow.Subscriber<? super byte[]> subscriber) {
            subscriber.onSubscribe(this);
            by.set(subscriber);
        }

        @Override
        public void request(long n) {
            requested.incrementAndGet();
        }

        @Override
        public void cancel() {
            cancelled.open();
        }

        Flow.Subscriber<? super byte[]> subscriber() throws Exception {
            eventually(() -> assertThat(by.get()).isNotNull());
            return Objects.requireNonNull(by.get());
        }
    }

    private static byte[] upper(byte[] bytes) {
        return new String(bytes, UTF_8).toUpperCase(Locale.ROOT).getBytes(UTF_8);
    }

    private static TestFilter onRequest(String name, Consumer<FilterRequest> action) {
        return TestFilter.of(name, FilterPhase.INBOUND, exchange -> {
            action.accept(exchange.getRequest());
            return exchange.proceed();
        });
    }

    private static TestFilter mapping(UnaryOperator<Flow.Publisher<byte[]>> operator) {
        return onRequest("map", request -> request.mapBody(operator));
    }

    private static Running gateway(ScriptedOrigin origin, TestFilter... filters) {
        return Setup.to(origin.address()).filters(FilterSet.of(filters)).start();
    }

    private static ScriptedOrigin ok() {
        return ScriptedOrigin.answeringWhoStays((request, c) -> c.send(Responses.ok("ok")));
    }

    /**
     * Sends a request twice on one connection.
     *
     * @return what the origin has received
     */
    private static RawMessage received(String request, TestFilter... filters) throws Exception {
        try (ScriptedOrigin origin = ok();
                Running gateway = gateway(origin, filters);
                RawClient client = gateway.client()) {
            assertThat(client.send(request).readResponse().status()).isEqualTo(200);
            assertThat(client.send(request).readResponse().status()).isEqualTo(200);
            List<RawMessage> all = origin.awaitRequests(2);
            assertThat(all.get(1).body()).isEqualTo(all.get(0).body());
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
            return all.get(0);
        }
    }

    // ---- framing

    @ParameterizedTest
    @ValueSource(strings = {CHUNKED + "X-Sum: 1\r\n\r\n", WITH_LENGTH})
    void changeABodyWhichIsThenSentChunked(String request) throws Exception {
        RawMessage sent = received(request, mapping(RequestStreamsTest::inCapitals));
        assertThat(sent.body()).isEqualTo("ABCD");
        assertThat(sent.value("transfer-encoding")).contains("chunked");
        assertThat(sent.value("content-length")).isEmpty();
        assertThat(sent.trailers()).hasSize(request.equals(WITH_LENGTH) ? 0 : 1);
    }

    @Test
    void areNotSubscribedToWithoutABody() throws Exception {
        ByHand publisher = new ByHand();
        RawMessage sent = received("GET / HTTP/1.1\r\nHost: a\r\n\r\n", onRequest("map", request -> {
            request.mapBody(body -> publisher);
            request.onTrailers(trailers -> trailers.set("x-new", "1"));
        }));
        assertThat(sent.body()).isEmpty();
        assertThat(sent.value("transfer-encoding")).isEmpty();
        assertThat(publisher.by.get()).isNull();
    }

    private static final class Ending implements BodyTransform {
        @Override
        public byte[] piece(byte[] piece) {
            return upper(piece);
        }

        @Override
        public byte[] end() {
            return new byte[] {'.'};
        }
    }

    @Test
    void runBetweenTheTransformsOfOtherFilters() throws Exception {
        UnaryOperator<Flow.Publisher<byte[]>> mark =
                body -> new Mapped(body, bytes -> (new String(bytes, UTF_8) + "-").getBytes(UTF_8));
        RawMessage sent = received(
                WITH_LENGTH,
                onRequest("before", request -> request.transformBody(new Ending())),
                onRequest("map", request -> request.mapBody(mark)).at(1),
                onRequest("after", request -> request.transformBody(new Ending()))
                        .at(2));
        assertThat(sent.body()).isEqualTo("ABCD-.-.");
    }

    @ParameterizedTest
    @ValueSource(strings = {WITH_LENGTH, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"})
    void changeABodyThatAnEarlierFilterHasSet(String request) throws Exception {
        RawMessage sent = received(
                request,
                onRequest("set", r -> r.setText("new")),
                onRequest("map", r -> r.mapBody(RequestStreamsTest::inCapitals)).at(1));
        assertThat(sent.body()).isEqualTo("NEW");
    }

    @Test
    void changeABodyThatAnEarlierFilterHasRead() throws Exception {
        RawMessage sent = received(
                CHUNKED + "X-Sum: 1\r\n\r\n",
                onRequest("read", r -> r.getHeaders().set("x-read", r.getText()))
                        .needing(100),
                onRequest("map", r -> r.mapBody(RequestStreamsTest::inCapitals)).at(1));
        assertThat(sent.body()).isEqualTo("ABCD");
        assertThat(sent.value("x-read")).contains("abcd");
        assertThat(sent.trailers()).extracting(Field::value).containsExactly("1");
    }

    @Test
    void areDroppedWithABodyThatALaterFilterReplaces() throws Exception {
        ByHand publisher = new ByHand();
        RawMessage sent = received(
                WITH_LENGTH,
                onRequest("map", r -> r.mapBody(body -> publisher)),
                onRequest("set", r -> r.setText("new")).at(1));
        assertThat(sent.body()).isEqualTo("new");
        assertThat(sent.value("content-length")).contains("3");
        assertThat(publisher.by.get()).isNull();
    }

    @Test
    void cannotPrecedeAFilterThatNeedsTheWholeBody() throws Exception {
        try (ScriptedOrigin origin = ok();
                Running gateway = gateway(
                        origin,
                        mapping(RequestStreamsTest::inCapitals),
                        onRequest("whole", r -> {}).needing(100).at(1));
                RawClient client = gateway.client()) {
            assertThat(client.send(WITH_LENGTH).readResponse().status()).isEqualTo(500);
            assertThat(origin.requestsSeen()).isZero();
        }
    }

    @Test
    void leaveAWebSocketHandshakeAsItIs() throws Exception {
        ByHand publisher = new ByHand();
        TestFilter filter = onRequest("map", r -> {
            r.mapBody(body -> publisher);
            r.onTrailers(trailers -> trailers.set("x-new", "1"));
        });
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(WebSockets::echo);
                Running gateway = Setup.to(origin.address())
                        .webSocket(WebSocketConfig.DEFAULT)
                        .filters(FilterSet.of(filter))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(client.send(WebSockets.handshake("/")).readHead().status())
                    .isEqualTo(101);
            assertThat(publisher.by.get()).isNull();
        }
    }

    // ---- 100-continue and early responses

    @Test
    void awaitTheBodyOfAClientThatExpectsContinue() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    RawMessage head = c.readHead();
                    assertThat(head.value("expect")).contains("100-continue");
                    c.send("HTTP/1.1 100 Continue\r\n\r\n");
                    assertThat(c.readBody(head).body()).isEqualTo("ABCD");
                    c.send(Responses.ok("ok")).awaitEnd();
                });
                Running gateway = gateway(origin, mapping(RequestStreamsTest::inCapitals));
                RawClient client = gateway.client()) {
            client.send(HEAD + "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(100);
            assertThat(client.send("abcd").readResponse().body()).isEqualTo("ok");
        }
    }

    @Test
    void endWithTheEarlyResponseOfTheOriginAndLeaveItsConnectionUnused() throws Exception {
        ByHand publisher = new ByHand();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.send(Responses.ok("early")).awaitEnd();
                });
                Running gateway = gateway(origin, mapping(body -> publisher));
                RawClient client = gateway.client()) {
            assertThat(client.send(WITH_LENGTH).readResponse().body()).isEqualTo("early");
            publisher.cancelled.await();
            publisher.subscriber().onNext(new byte[10]);
            publisher.subscriber().onComplete();
            origin.awaitOpenConnections(0);
        }
    }

    // ---- attempts

    private static RetryConfig retries(int bytes) {
        return new RetryConfig(
                3,
                List.of("reset", "503", "connect-failure"),
                Duration.ZERO,
                RetryConfig.Backoff.DEFAULT,
                Duration.ofSeconds(1),
                new ByteSize(bytes),
                true,
                null);
    }

    @Test
    void areSubscribedToOnceThoughTheRequestIsSentAgain() throws Exception {
        AtomicInteger subscribed = new AtomicInteger();
        AtomicInteger trailers = new AtomicInteger();
        TestFilter filter = onRequest("map", request -> {
            request.mapBody(body -> by -> {
                subscribed.incrementAndGet();
                inCapitals(body).subscribe(by);
            });
            request.onTrailers(last -> last.set("x-runs", "" + trailers.incrementAndGet()));
        });
        AtomicInteger requests = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> {
                    assertThat(request.body()).isEqualTo("ABCD");
                    assertThat(request.trailers()).containsExactly(new Field("x-runs", "1"));
                    boolean first = requests.incrementAndGet() == 1;
                    c.send(first ? "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n" : Responses.ok("ok"));
                });
                Running gateway = Setup.to(origin.address())
                        .retrying(retries(1000))
                        .filters(FilterSet.of(filter))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(client.send(CHUNKED + "\r\n").readResponse().body()).isEqualTo("ok");
            assertThat(subscribed).hasValue(1);
            assertThat(trailers).hasValue(1);
        }
    }

    @Test
    void continueAtTheNextAttempt() throws Exception {
        ByHand publisher = new ByHand();
        Gate reset = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            c.readHead();
                            c.readBytes("3\r\none\r\n".length());
                            c.stallUntil(reset).reset();
                        })
                        .onConnection(c -> {
                            assertThat(c.readRequest().body()).isEqualTo("onetwo");
                            c.send(Responses.ok("ok")).awaitEnd();
                        });
                Running gateway = Setup.to(origin.address())
                        .retrying(retries(1000))
                        .filters(FilterSet.of(mapping(body -> publisher)))
                        .start();
                RawClient client = gateway.client()) {
            client.send(WITH_LENGTH);
            publisher.subscriber().onNext("one".getBytes(UTF_8));
            reset.open();
            origin.awaitConnections(2);
            publisher.subscriber().onNext("two".getBytes(UTF_8));
            publisher.subscriber().onComplete();
            assertThat(client.readResponse().body()).isEqualTo("ok");
            assertThat(gateway.nextOutcome().attempts()).isEqualTo(2);
        }
    }

    @Test
    void areNotSentAgainBeyondTheBytesThatAreKept() throws Exception {
        ByHand publisher = new ByHand();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.readBytes(5);
                    c.reset();
                });
                Running gateway = Setup.to(origin.address())
                        .retrying(retries(2))
                        .filters(FilterSet.of(mapping(body -> publisher)))
                        .start();
                RawClient client = gateway.client()) {
            client.send(WITH_LENGTH);
            publisher.subscriber().onNext("one".getBytes(UTF_8));
            assertThat(client.readResponse().status()).isEqualTo(502);
            publisher.cancelled.await();
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
        }
    }

    // ---- ends

    @Test
    void mayCompleteBeforeTheBody() throws Exception {
        ByHand publisher = new ByHand();
        try (ScriptedOrigin origin = ok();
                Running gateway = gateway(origin, mapping(body -> publisher));
                RawClient client = gateway.client()) {
            client.send(HEAD + "Content-Length: 8\r\n\r\nabcd");
            publisher.subscriber().onNext("x".getBytes(UTF_8));
            publisher.subscriber().onComplete();
            assertThat(origin.awaitRequests(1).get(0).body()).isEqualTo("x");
            assertThat(client.readHead().status()).isEqualTo(200);
        }
    }

    @Test
    void failTheExchangeByAnErrorAndLeaveTheRequestIncomplete() throws Exception {
        ByHand publisher = new ByHand();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    RawMessage head = c.readHead();
                    assertThatThrownBy(() -> c.readBody(head)).isInstanceOf(IOException.class);
                });
                Running gateway = gateway(origin, mapping(body -> publisher));
                RawClient client = gateway.client()) {
            client.send(WITH_LENGTH);
            publisher.subscriber().onNext("x".getBytes(UTF_8));
            publisher.subscriber().onError(new IOException("no"));
            assertThat(client.readResponse().status()).isEqualTo(500);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void rejectABodyByARefusal() throws Exception {
        TestFilter filter = mapping(body -> new Mapped(body, bytes -> {
            throw new BodyRefusal(GatewayError.downstream(ErrorKind.BODY_TOO_LARGE, "too long for a test"));
        }));
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.awaitEnd();
                });
                Running gateway = gateway(origin, filter);
                RawClient client = gateway.client()) {
            assertThat(client.send(WITH_LENGTH).readResponse().status()).isEqualTo(413);
        }
    }

    /** A filter with an operator that applies to the first request; later bodies are sent in capitals. */
    private static TestFilter failingOnce(UnaryOperator<Flow.Publisher<byte[]>> failing) {
        AtomicInteger requests = new AtomicInteger();
        return mapping(body -> requests.incrementAndGet() == 1 ? failing.apply(body) : inCapitals(body));
    }

    private static Flow.Publisher<byte[]> refusing(Flow.Publisher<byte[]> body) {
        return new Mapped(body, bytes -> {
            throw new BodyRefusal(GatewayError.downstream(ErrorKind.BODY_TOO_LARGE, "too long for a test"));
        });
    }

    /** Closes the first connection after a failed request; responds to a second request with its body. */
    private static ScriptedOrigin echoAfterAFailure() {
        return ScriptedOrigin.start()
                .onNextConnection(c -> {
                    c.readHead();
                    c.awaitEnd();
                })
                .onConnection(
                        ((ConnectionScript) c -> c.answerEvery(r -> Responses.ok(r.body()))).untilThePeerLeaves());
    }

    @Test
    void leaveTheNextRequestItsBodyAfterARefusalOfTheLastChunk() throws Exception {
        try (ScriptedOrigin origin = echoAfterAFailure();
                Running gateway = gateway(origin, failingOnce(RequestStreamsTest::refusing));
                RawClient client = gateway.client()) {
            assertThat(client.send(WITH_LENGTH).readResponse().status()).isEqualTo(413);
            assertThat(client.send(WITH_LENGTH).readResponse().body()).isEqualTo("ABCD");
        }
    }

    @Test
    void leaveTheRestOfARefusedBodyToBeRead() throws Exception {
        try (ScriptedOrigin origin = echoAfterAFailure();
                Running gateway = gateway(origin, failingOnce(RequestStreamsTest::refusing));
                RawClient client = gateway.client()) {
            client.send(HEAD + "Content-Length: 8\r\n\r\nabcd");
            assertThat(client.readResponse().status()).isEqualTo(413);
            assertThat(client.send("efgh" + WITH_LENGTH).readResponse().body()).isEqualTo("ABCD");
        }
    }

    /** Emits 32 MiB, then fails at the first chunk of the received body. */
    private record LargeThenRefused(Flow.Publisher<byte[]> body) implements Flow.Publisher<byte[]> {
        @Override
        public void subscribe(Flow.Subscriber<? super byte[]> by) {
            AtomicInteger requests = new AtomicInteger();
            by.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long n) {
                    if (requests.incrementAndGet() == 1) {
                        by.onNext(new byte[32 << 20]);
                    } else {
                        refusing(body).subscribe(new BodyReader(() -> {}));
                    }
                }

                @Override
                public void cancel() {}
            });
        }
    }

    @Test
    void leaveThePipelinedRequestItsBodyAfterARefusalOfAQueuedChunk() throws Exception {
        Gate reads = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            c.readHead();
                            c.stallUntil(reads).awaitEnd();
                        })
                        .onConnection(((ConnectionScript) c -> c.answerEvery(r -> Responses.ok(r.body())))
                                .untilThePeerLeaves());
                Running gateway = gateway(origin, failingOnce(LargeThenRefused::new));
                RawClient client = gateway.client()) {
            client.send(WITH_LENGTH + WITH_LENGTH);
            origin.awaitConnections(1);
            reads.open();
            assertThat(client.readResponse().status()).isEqualTo(413);
            assertThat(client.readResponse().body()).isEqualTo("ABCD");
        }
    }

    @Test
    void areCancelledWhenTheClientResetsInTheMiddle() throws Exception {
        ByHand publisher = new ByHand();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    RawMessage head = c.readHead();
                    assertThatThrownBy(() -> c.readBody(head)).isInstanceOf(IOException.class);
                });
                Running gateway = gateway(origin, mapping(body -> publisher));
                RawClient client = gateway.client()) {
            client.send(HEAD + "Content-Length: 8\r\n\r\nabcd");
            publisher.subscriber().onNext("x".getBytes(UTF_8));
            client.reset();
            publisher.cancelled.await();
            assertThat(gateway.nextOutcome().response()).isNotEqualTo(Half.DONE);
        }
    }

    @Test
    void failWithABodyThatIsMalformedInTheMiddle() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    RawMessage head = c.readHead();
                    assertThatThrownBy(() -> c.readBody(head)).isInstanceOf(IOException.class);
                });
                Running gateway = gateway(origin, mapping(RequestStreamsTest::inCapitals));
                RawClient client = gateway.client()) {
            client.send(HEAD + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n");
            assertThat(client.readResponse().status()).isEqualTo(400);
        }
    }

    /** A filter with a short timeout. */
    private record Impatient(TestFilter filter) implements SyncFilter {
        @Override
        public FilterPhase phase() {
            return filter.phase();
        }

        @Override
        public Duration timeout() {
            return Duration.ofMillis(200);
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) throws Exception {
            return filter.filter(exchange);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {WITH_LENGTH, HEAD + "Content-Length: 8\r\n\r\nabcd"})
    void failTheExchangeIfTheyExceedTheTimeoutOfTheirFilter(String request) throws Exception {
        ByHand publisher = new ByHand();
        ConnectionScript reads = c -> {
            c.readHead();
            c.awaitEnd();
        };
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(reads.untilThePeerLeaves());
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(new Impatient(mapping(body -> publisher))))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(client.send(request).readResponse().status()).isEqualTo(500);
            publisher.cancelled.await();
        }
    }

    @Test
    void mayTakeLongerThanTheTimeoutWhileTheClientSendsNothing() throws Exception {
        try (ScriptedOrigin origin = ok();
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(new Impatient(mapping(RequestStreamsTest::inCapitals))))
                        .start();
                RawClient client = gateway.client()) {
            client.send(HEAD + "Content-Length: 8\r\n\r\nabcd");
            Thread.sleep(600);
            assertThat(client.send("efgh").readResponse().body()).isEqualTo("ok");
        }
    }

    @Test
    void areCancelledIfTheySubscribeAfterTheExchange() throws Exception {
        AtomicReference<Flow.Subscriber<? super byte[]>> by = new AtomicReference<>();
        ByHand subscription = new ByHand();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.send(Responses.ok("early")).awaitEnd();
                });
                Running gateway = gateway(origin, mapping(body -> by::set));
                RawClient client = gateway.client()) {
            assertThat(client.send(WITH_LENGTH).readResponse().body()).isEqualTo("early");
            eventually(() -> assertThat(by.get()).isNotNull());
            Objects.requireNonNull(by.get()).onSubscribe(subscription);
            subscription.cancelled.await();
        }
    }

    // ---- trailers

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void trailersOfATransformedBodyThatWasReadBeforeAreKept(boolean mapped) throws Exception {
        RawMessage sent = received(
                CHUNKED + "X-Sum: 1\r\n\r\n",
                onRequest("read", r -> r.getText()).needing(100),
                onRequest("transform", r -> {
                            r.transformBody(new Ending());
                            if (mapped) {
                                r.mapBody(RequestStreamsTest::inCapitals);
                            }
                            r.onTrailers(trailers -> seen.add(trailers.get("x-sum") + ""));
                        })
                        .at(1));
        assertThat(sent.body()).isEqualTo("ABCD.");
        assertThat(sent.value("transfer-encoding")).contains("chunked");
        assertThat(sent.trailers()).containsExactly(new Field("X-Sum", "1"));
        assertThat(seen).containsExactly("1", "1");
    }

    private final List<String> seen = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void trailersAreReadAndChanged(boolean mapped) throws Exception {
        RawMessage sent = received(CHUNKED + "X-Sum: 1\r\nX-Old: 2\r\n\r\n", onRequest("trailers", request -> {
            if (mapped) {
                request.mapBody(RequestStreamsTest::inCapitals);
            }
            request.onTrailers(trailers -> {
                seen.add(trailers.get("x-sum") + trailers.get("content-length"));
                trailers.set("x-sum", "one");
                trailers.remove("x-old");
                assertThatThrownBy(() -> trailers.set("authorization", "x"))
                        .isInstanceOf(IllegalArgumentException.class);
            });
        }));
        assertThat(sent.body()).isEqualTo(mapped ? "ABCD" : "abcd");
        assertThat(sent.trailers()).containsExactly(new Field("x-sum", "one"));
        assertThat(seen).containsExactly("1null", "1null");
    }

    @Test
    void forgedFieldsNeverReachTheActionOnTrailers() throws Exception {
        received(
                CHUNKED + "X-Sum: 1\r\nContent-Length: 7\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n",
                onRequest("t", request -> {
                    request.onTrailers(trailers -> seen.add(String.join(",", trailers.getNames())));
                }));
        assertThat(seen).containsExactly("X-Sum", "X-Sum");
    }

    @Test
    void trailersAreAddedToABodyOfKnownLengthAndToAReplacedOne() throws Exception {
        for (boolean replaced : new boolean[] {true, false}) {
            RawMessage sent = received(WITH_LENGTH, onRequest("trailers", request -> {
                if (replaced) {
                    request.setText("new");
                }
                request.onTrailers(trailers -> trailers.set("x-new", "3"));
            }));
            assertThat(sent.body()).isEqualTo(replaced ? "new" : "abcd");
            assertThat(sent.trailers()).containsExactly(new Field("x-new", "3"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFailureOfAnActionOnTrailersFollowsThePolicyOfItsFilter(boolean closed) throws Exception {
        TestFilter filter = onRequest(
                        "trailers",
                        request -> request.onTrailers(trailers -> {
                            throw new IllegalStateException("no");
                        }))
                .failing(closed ? FailurePolicy.FAIL_CLOSED : FailurePolicy.FAIL_OPEN);
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onConnection(
                                ((ConnectionScript) c -> c.answerEvery(r -> Responses.ok("ok"))).untilThePeerLeaves());
                Running gateway = gateway(origin, filter);
                RawClient client = gateway.client()) {
            assertThat(client.send(CHUNKED + "\r\n").readResponse().status()).isEqualTo(closed ? 500 : 200);
            assertThat(origin.requestsSeen()).isEqualTo(closed ? 0 : 1);
        }
    }

    // ---- HTTP/2

    @Test
    void passOverHttp2WithTrailers() throws Exception {
        TestFilter filter = onRequest("map", request -> {
            request.mapBody(RequestStreamsTest::inCapitals);
            request.onTrailers(trailers -> trailers.set("x-sum", trailers.get("x-sum") + "!"));
        });
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = Setup.to(origin.address())
                        .pool(H2)
                        .filters(FilterSet.of(filter))
                        .start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/a").data(1, "hi", false).headers(1, END_STREAM, "x-sum", "1");
            Http2Client connection = origin.accept();
            Http2Response sent = connection.response(1);
            assertThat(sent.body()).isEqualTo("HI");
            assertThat(sent.trailers()).containsExactly(new Field("x-sum", "1!"));
            connection.respond(1, 200, "ok");
            assertThat(client.response(1).body()).isEqualTo("ok");
        }
    }

    @Test
    void resetTheStreamOfTheOriginIfTheyFail() throws Exception {
        ByHand publisher = new ByHand();
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = Setup.to(origin.address())
                        .pool(H2)
                        .filters(FilterSet.of(mapping(body -> publisher)))
                        .start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/a").data(1, "hi", true);
            Http2Client connection = origin.accept();
            publisher.subscriber().onNext("x".getBytes(UTF_8));
            publisher.subscriber().onError(new IOException("no"));
            connection.awaitReset(1);
            assertThat(client.response(1).status()).isEqualTo(500);
        }
    }

    @Test
    void leaveOtherRequestsForTheSameConnectionAsTheyAreIfTheyRefuseAHeldBody() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        Logger faultsOfCallbacks = (Logger) LoggerFactory.getLogger(DefaultPromise.class);
        faultsOfCallbacks.addAppender(log);
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = Setup.to(origin.address())
                        .pool(H2)
                        .filters(FilterSet.of(
                                onRequest("read", r -> r.getHeaders().set("x-read", r.getText()))
                                        .needing(100),
                                failingOnce(RequestStreamsTest::refusing).at(1)))
                        .start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/a").data(1, "hi", true);
            client.post(3, "/b").data(3, "hi", true);
            assertThat(client.response(1).status()).isEqualTo(413);
            Http2Client connection = origin.accept();
            assertThat(connection.response(3).body()).isEqualTo("HI");
            connection.respond(3, 200, "ok");
            assertThat(client.response(3).body()).isEqualTo("ok");
            assertThat(log.list).isEmpty();
        } finally {
            faultsOfCallbacks.detachAppender(log);
        }
    }

    @Test
    void withoutDemandStopTheClientOfAStream() throws Exception {
        ByHand publisher = new ByHand();
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = Setup.to(origin.address())
                        .pool(H2)
                        .filters(FilterSet.of(mapping(body -> publisher)))
                        .start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/a");
            origin.accept();
            publisher.subscriber();
            client.within(Duration.ofMillis(500));
            assertThatThrownBy(() -> client.upload(1, 64 << 20)).hasMessageContaining("no frame within");
            client.within(Duration.ofSeconds(10)).cancel(1);
            publisher.cancelled.await();
        }
    }
}
