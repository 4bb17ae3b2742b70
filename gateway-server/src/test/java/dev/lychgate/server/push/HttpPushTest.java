package dev.lychgate.server.push;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import dev.lychgate.testing.UnusedPort;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Tag("slow")
class HttpPushTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Map<String, String> SECRET = Map.of("authorization", "Splunk c0ffee");

    private final WireMockServer receiver =
            new WireMockServer(options().bindAddress("127.0.0.1").dynamicPort());
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void start() {
        receiver.start();
        answers(ok());
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        logger().setLevel(Level.INFO);
        logger().addAppender(log);
    }

    @AfterEach
    void stop() {
        logger().detachAppender(log);
        logger().setLevel(null);
        receiver.stop();
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(HttpPush.class);
    }

    private void answers(ResponseDefinitionBuilder response) {
        receiver.stubFor(post(urlEqualTo("/in?token=t0ken")).willReturn(response));
    }

    private PushTarget target(int port, Duration timeout, long queueBytes, Duration patience, boolean gzip) {
        URI url = URI.create("http://127.0.0.1:" + port + "/in?token=t0ken");
        return new PushTarget(url, () -> SECRET, "text/plain", timeout, queueBytes, patience, gzip, null);
    }

    private HttpPush push(PushTarget target) {
        return new HttpPush("test", target, quick());
    }

    private HttpPush push() {
        return push(target(receiver.port(), LONG, 1 << 20, LONG, false));
    }

    private static BackOff quick() {
        return new BackOff(Duration.ofMillis(5), Duration.ofMillis(20), Duration.ofMillis(50));
    }

    private static byte[] body(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<String> received() {
        return receiver.findAll(postRequestedFor(urlEqualTo("/in?token=t0ken"))).stream()
                .map(request -> request.getBodyAsString())
                .toList();
    }

    @Test
    void deliversInOrderWithTheHeadersOfTheTarget() {
        List<String> bodies = IntStream.range(0, 50).mapToObj(i -> "body " + i).toList();
        HttpPush push = push();
        for (String body : bodies) {
            assertThat(push.offer(body(body), 3)).isTrue();
        }
        push.close(LONG);

        assertThat(received()).isEqualTo(bodies);
        receiver.verify(
                50,
                postRequestedFor(urlEqualTo("/in?token=t0ken"))
                        .withHeader("authorization", equalTo("Splunk c0ffee"))
                        .withHeader("content-type", equalTo("text/plain")));
        assertThat(push.deliveredItems()).isEqualTo(150);
        assertThat(push.droppedItems()).isZero();
        assertThat(push.waitingItems()).isZero();
        assertThat(push.failedTries()).isZero();
    }

    @Test
    void compressesBodiesIfConfigured() {
        HttpPush push = push(target(receiver.port(), LONG, 1 << 20, LONG, true));
        push.offer(body("many words ".repeat(100)), 1);
        push.close(LONG);
        // WireMock decodes bodies with a Content-Encoding.
        receiver.verify(postRequestedFor(urlEqualTo("/in?token=t0ken"))
                .withHeader("content-encoding", equalTo("gzip"))
                .withRequestBody(equalTo("many words ".repeat(100))));
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 502, 503, 504})
    void retriesTemporaryRejections(int status) throws Exception {
        answers(aResponse().withStatus(status));
        HttpPush push = push();
        push.offer(body("first"), 1);
        push.offer(body("second"), 1);
        eventually(() -> assertThat(push.failedTries()).isGreaterThanOrEqualTo(3));
        assertThat(push.deliveredItems()).isZero();
        assertThat(push.waitingItems()).isEqualTo(2);

        receiver.resetRequests();
        answers(ok());
        push.close(LONG);
        assertThat(push.deliveredItems()).isEqualTo(2);
        assertThat(received()).endsWith("first", "second");
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void retriesAfterAResetOrAMalformedResponse(Fault fault) throws Exception {
        answers(aResponse().withFault(fault));
        HttpPush push = push();
        push.offer(body("first"), 1);
        if (fault == Fault.MALFORMED_RESPONSE_CHUNK) {
            // Its head has status 200: the receiver accepted it.
            eventually(() -> assertThat(push.deliveredItems()).isEqualTo(1));
            push.close(LONG);
            return;
        }
        eventually(() -> assertThat(push.failedTries()).isGreaterThanOrEqualTo(2));
        answers(ok());
        push.close(LONG);
        assertThat(push.deliveredItems()).isEqualTo(1);
        assertThat(push.droppedItems()).isZero();
    }

    @Test
    void retriesWhenTheReceiverStalls() throws Exception {
        answers(ok().withFixedDelay(60_000));
        HttpPush push = push(target(receiver.port(), Duration.ofMillis(200), 1 << 20, LONG, false));
        push.offer(body("first"), 1);
        eventually(() -> assertThat(push.failedTries()).isGreaterThanOrEqualTo(2));
        answers(ok());
        push.close(LONG);
        assertThat(push.deliveredItems()).isEqualTo(1);
    }

    @Test
    void deliversItemsFromBeforeTheStartOfTheReceiver() throws Exception {
        receiver.stop();
        int port = UnusedPort.number();
        HttpPush push = push(target(port, LONG, 1 << 20, LONG, false));
        push.offer(body("early"), 1);
        eventually(() -> assertThat(push.failedTries()).isGreaterThanOrEqualTo(2));
        WireMockServer late =
                new WireMockServer(options().bindAddress("127.0.0.1").port(port));
        late.stubFor(post(urlEqualTo("/in?token=t0ken")).willReturn(ok()));
        late.start();
        try {
            push.close(LONG);
            assertThat(push.deliveredItems()).isEqualTo(1);
        } finally {
            late.stop();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 307, 400, 401, 404, 413})
    void dropsRejectedBodiesAndContinuesWithTheNext(int status) throws Exception {
        answers(aResponse().withStatus(status).withHeader("location", "/elsewhere"));
        HttpPush push = push();
        push.offer(body("bad"), 7);
        eventually(() -> assertThat(push.droppedItems()).isEqualTo(7));
        answers(ok());
        push.offer(body("good"), 1);
        push.close(LONG);
        assertThat(push.deliveredItems()).isEqualTo(1);
        assertThat(received()).containsExactly("bad", "good");
        receiver.verify(0, postRequestedFor(urlEqualTo("/elsewhere")));
    }

    @Test
    void dropsAndCountsItemsBeyondTheQueue() throws Exception {
        answers(aResponse().withStatus(500));
        HttpPush push = push(target(receiver.port(), LONG, 1000, LONG, false));
        byte[] hundred = new byte[100];
        for (int i = 0; i < 10; i++) {
            assertThat(push.offer(hundred, 2)).isTrue();
        }
        assertThat(push.offer(hundred, 2))
                .describedAs("the one under way counts")
                .isFalse();
        assertThat(push.offer(new byte[1001], 5)).isFalse();
        assertThat(push.droppedItems()).isEqualTo(7);
        assertThat(push.waitingItems()).isEqualTo(20);

        answers(ok());
        eventually(() -> assertThat(push.deliveredItems()).isEqualTo(20));
        assertThat(push.offer(hundred, 2)).describedAs("there is room again").isTrue();
        push.close(LONG);
        assertThat(push.deliveredItems()).isEqualTo(22);
    }

    @Test
    void dropsABodyAfterItsDeadlineAndContinuesWithTheNext() throws Exception {
        answers(aResponse().withStatus(503));
        HttpPush push = push(target(receiver.port(), LONG, 1000, Duration.ofMillis(100), false));
        push.offer(body("old"), 1);
        push.offer(body("new"), 1);
        eventually(() -> assertThat(push.droppedItems()).isEqualTo(2));
        assertThat(received()).contains("old", "new");
        push.close(LONG);
    }

    @Test
    void closesInTimeWithAStalledReceiverAndCountsTheRest() throws Exception {
        answers(ok().withFixedDelay(60_000));
        HttpPush push = push(target(receiver.port(), Duration.ofMinutes(5), 1000, Duration.ofMinutes(5), false));
        push.offer(body("under way"), 2);
        push.offer(body("waiting"), 3);
        push.close(Duration.ofMillis(50));
        // If the call had waited for the response, it would have delivered them.
        eventually(() -> assertThat(push.droppedItems()).isEqualTo(5));
        assertThat(push.waitingItems()).isZero();
        assertThat(push.offer(body("late"), 1)).isFalse();
        assertThat(push.droppedItems()).isEqualTo(6);
    }

    @Test
    void closesInTimeBeforeARetry() throws Exception {
        answers(aResponse().withStatus(503));
        Duration hour = Duration.ofHours(1);
        HttpPush push =
                new HttpPush("test", target(receiver.port(), LONG, 1000, hour, false), new BackOff(hour, hour, hour));
        push.offer(body("waiting"), 3);
        eventually(() -> assertThat(push.failedTries()).isEqualTo(1));
        push.close(Duration.ofMillis(50));
        eventually(() -> assertThat(push.droppedItems()).isEqualTo(3));
    }

    @Test
    void logsOneLineForAFailureAndOneForTheRecoveryWithoutSecrets() throws Exception {
        answers(aResponse().withStatus(500));
        HttpPush push = push();
        push.offer(body("private"), 1);
        eventually(() -> assertThat(push.failedTries()).isGreaterThanOrEqualTo(5));
        answers(ok());
        push.close(LONG);

        List<String> lines =
                log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        String origin = "http://127.0.0.1:" + receiver.port();
        assertThat(lines)
                .containsExactly(
                        "test: " + origin
                                + " does not accept data: status 500; 1 items are queued, 0 were dropped so far",
                        "test: " + origin + " accepts data again; 0 items were dropped so far");
        assertThat(target(1, LONG, 1, LONG, false).toString()).doesNotContain("c0ffee", "t0ken");
    }
}
