package dev.lychgate.server.admin;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.server.metrics.MetricsFormat;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class AdminServerTest {
    private static final AdminConfig LOCAL = new AdminConfig(new BindAddress("127.0.0.1", 0));

    private final FakeSource source = new FakeSource();
    private final AdminServer server = AdminServer.start(LOCAL, source);

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void respondsToEveryPageWithHeadersAgainstCachingAndSniffing() throws Exception {
        try (RawClient client = connect()) {
            RawMessage health = get(client, "/health");
            assertThat(health.status()).isEqualTo(200);
            assertThat(health.body()).isEqualTo("{\"status\":\"up\"}\n");
            assertThat(health.value("content-type")).hasValue("application/json");
            assertThat(health.value("cache-control")).hasValue("no-store");
            assertThat(health.value("x-content-type-options")).hasValue("nosniff");
            Instant date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(
                    health.value("date").orElseThrow(), Instant::from);
            assertThat(Duration.between(date, Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
            assertThat(get(client, "/health?verbose=1").status()).isEqualTo(200);
        }
    }

    @Test
    void reportsWhyItIsNotReady() throws Exception {
        try (RawClient client = connect()) {
            assertThat(get(client, "/ready").body()).isEqualTo("{\"status\":\"ready\"}\n");
            source.notReady = "draining";
            RawMessage response = get(client, "/ready");
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.body())
                    .isEqualTo("{\"type\":\"urn:lychgate:problem:not-ready\",\"title\":\"Service Unavailable\","
                            + "\"status\":503,\"detail\":\"draining\"}\n");
            assertThat(get(client, "/health").status()).isEqualTo(200);
            assertThat(get(client, "/routes").status())
                    .describedAs("there is no generation yet")
                    .isEqualTo(503);
        }
    }

    @Test
    void respondsToHeadLikeGetWithoutTheBody() throws Exception {
        try (RawClient client = connect()) {
            RawMessage head = client.send("HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .readResponseTo("HEAD");
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.value("content-length")).hasValue("16");
            assertThat(get(client, "/health").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /nothing HTTP/1.1|Host: localhost|404|not-found",
                "GET /health/ HTTP/1.1|Host: localhost|404|not-found",
                "GET /%2e%2e/health HTTP/1.1|Host: localhost|404|not-found",
                "POST /health HTTP/1.1|Host: localhost|405|method-not-allowed",
                "DELETE / HTTP/1.1|Host: localhost|405|method-not-allowed",
                "OPTIONS * HTTP/1.1|Host: localhost|405|method-not-allowed",
                "GET http://localhost/health HTTP/1.1|Host: localhost|400|malformed-request",
                "GET * HTTP/1.1|Host: localhost|400|malformed-request",
                "GET /health HTTP/1.1|X: no host|400|malformed-request",
                "GET /health HTTP/1.1|Host : localhost|400|malformed-request",
                "nonsense|Host: localhost|400|malformed-request",
                "GET /health HTTP/1.1|Host: evil.example|421|misdirected-request",
                "POST /health HTTP/1.1|Content-Length: 1025|413|body-too-large",
                "GET /health HTTP/1.1|Content-Length: 99999999999999999999|400|malformed-request",
                "GET /health HTTP/1.1|Content-Length: -1|400|malformed-request",
                "GET /health HTTP/1.1|Transfer-Encoding: gzip|400|malformed-request",
                "GET /health HTTP/1.1|Expect: foo|417|expectation-failed",
                "GET /health HTTP/1.1|Host: localhost:evil|421|misdirected-request",
            })
    void refusesBadInput(String requestLine, String field, int status, String label) throws Exception {
        try (RawClient client = connect()) {
            RawMessage response =
                    client.send(requestLine + "\r\n" + field + "\r\n\r\n").readResponse();
            assertThat(response.status()).isEqualTo(status);
            assertThat(response.value("content-type")).hasValue("application/problem+json");
            assertThat(response.body()).startsWith("{\"type\":\"urn:lychgate:problem:" + label + "\"");
            if (status == 405) {
                assertThat(response.value("allow")).hasValue("GET, HEAD");
            }
            if (status != 404) {
                assertThat(response.value("connection")).hasValue("close");
                client.expectClosed();
            }
        }
    }

    @Test
    void refusesTwoHosts() throws Exception {
        try (RawClient client = connect()) {
            client.send("GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(400);
            client.expectClosed();
        }
    }

    @Test
    void refusesHeadsAndBodiesThatAreTooLarge() throws Exception {
        try (RawClient client = connect()) {
            client.send("GET /" + "x".repeat(4000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(400);
        }
        try (RawClient client = connect()) {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(9000) + "\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(400);
        }
        try (RawClient client = connect()) {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n800\r\n"
                    + "x".repeat(0x800) + "\r\n");
            assertThat(client.readResponse().status()).isEqualTo(413);
        }
        try (RawClient client = connect()) {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(413);
            assertThat(client.interimResponses()).isEmpty();
        }
    }

    @Test
    void respondsToPipelinedRequestsInOrder() throws Exception {
        source.metrics = new CompletableFuture<>();
        try (RawClient client = connect()) {
            client.send("GET /metrics HTTP/1.1\r\nHost: [::1]\r\n\r\nGET /health HTTP/1.1\r\nHost: [::1]\r\n\r\n");
            client.expectSilence(Duration.ofMillis(100));
            source.metrics.complete("late 1\n");
            RawMessage first = client.readResponse();
            assertThat(first.body()).isEqualTo("late 1\n");
            assertThat(first.value("content-type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(client.readResponse().body()).contains("up");
        }
    }

    @Test
    void choosesTheFormatOfMetricsByTheAcceptField() throws Exception {
        try (RawClient client = connect()) {
            RawMessage open = client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
                            + "Accept: application/openmetrics-text;version=1.0.0;q=0.5\r\nAccept: */*;q=0.1\r\n\r\n")
                    .readResponse();
            assertThat(open.value("content-type"))
                    .hasValue("application/openmetrics-text; version=1.0.0; charset=utf-8");
            assertThat(open.value("vary")).hasValue("accept");
            assertThat(source.format).isEqualTo(MetricsFormat.OPENMETRICS);
            RawMessage plain = client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n")
                    .readResponse();
            assertThat(plain.value("content-type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(source.format).isEqualTo(MetricsFormat.PROMETHEUS);
        }
    }

    @Test
    void respondsToManyPipelinedRequests() throws Exception {
        try (RawClient client = connect()) {
            client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(500));
            for (int i = 0; i < 500; i++) {
                assertThat(client.readResponse().status()).isEqualTo(200);
            }
            // As many as one read holds, because unread data at the close would cause a reset.
            client.send("GET / HTTP/1.0\r\n\r\n".repeat(200));
            assertThat(client.readResponse().status()).isEqualTo(200);
        }
    }

    @Test
    void createsNoResponsesForClientsThatDoNotRead() throws Exception {
        int asked = 60;
        source.metrics = CompletableFuture.completedFuture("x".repeat(1 << 20));
        try (RawClient client = connect()) {
            client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(asked));
            // The pages are created for the first client.
            eventually(() -> assertThat(source.scrapes.get()).isPositive());
            int before = -1;
            while (source.scrapes.get() > before) {
                before = source.scrapes.get();
                Thread.sleep(300);
            }
            assertThat(before)
                    .as("as many as fit into the sockets' buffers, and one")
                    .isBetween(1, asked / 2);
            for (int i = 0; i < asked; i++) {
                assertThat(client.readResponse().body()).hasSize(1 << 20);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health", "/dashboard/api.js", "/no/such/page"})
    void anIdleConnectionHasNoPendingRequest(String path) throws Exception {
        try (AdminServer hasty = AdminServer.start(
                        LOCAL,
                        source,
                        new AdminServer.Times(Duration.ofMillis(200), Duration.ofMillis(10)),
                        AdminPages::new);
                RawClient client = RawClient.connect(hasty.address())) {
            get(client, path);
            client.expectSilence(Duration.ofMillis(500));
            assertThat(get(client, "/health").status()).isEqualTo(200);
        }
    }

    @Test
    void rejectsInOrder() throws Exception {
        source.metrics = new CompletableFuture<>();
        try (RawClient client = connect()) {
            client.send("GET /metrics HTTP/1.1\r\nHost: [::1]\r\n\r\nPOST / HTTP/1.1\r\nContent-Length: 5000\r\n\r\n");
            client.expectSilence(Duration.ofMillis(100));
            source.metrics.complete("late 1\n");
            assertThat(client.readResponse().body()).isEqualTo("late 1\n");
            assertThat(client.readResponse().status()).isEqualTo(413);
        }
    }

    @Test
    void respondsAtOnceToAnExpectationOf100Continue() throws Exception {
        try (RawClient client = connect()) {
            client.send("GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(200);
            assertThat(client.interimResponses()).isEmpty();
            client.expectClosed();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /health HTTP/1.1\r\nX: ",
                "POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
            })
    void closesAConnectionWithASlowRequest(String beginning) throws Exception {
        try (AdminServer hasty = AdminServer.start(
                        LOCAL,
                        source,
                        new AdminServer.Times(Duration.ofSeconds(2), Duration.ofMillis(10)),
                        AdminPages::new);
                RawClient client = RawClient.connect(hasty.address())) {
            assertThat(get(client, "/health").status()).isEqualTo(200);
            client.sendSlowly(beginning + "xxx", 5, Duration.ofMillis(20));
            RawMessage response = client.readResponse();
            assertThat(response.status()).isEqualTo(408);
            assertThat(response.body()).contains("problem:request-timeout");
            client.expectClosed();
        }
    }

    @Test
    void respondsToARequestInParts() throws Exception {
        try (RawClient client = connect()) {
            client.sendSlowly("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n", 5, Duration.ofMillis(20));
            assertThat(client.readResponse().status()).isEqualTo(200);
            client.sendSlowly(
                    "GET /ready HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc", 5, Duration.ofMillis(20));
            assertThat(client.readResponse().status()).isEqualTo(200);
        }
    }

    @Test
    void respondsToAFailedPageWithoutDetails() throws Exception {
        source.metrics = CompletableFuture.failedFuture(new IllegalStateException("a secret"));
        try (RawClient client = connect()) {
            RawMessage response = get(client, "/metrics");
            assertThat(response.status()).isEqualTo(500);
            assertThat(response.body()).contains("problem:internal").doesNotContain("secret");
            assertThat(get(client, "/health").status()).isEqualTo(200);
        }
    }

    @Test
    void closesIdleConnectionsThatALowerLimitLeavesNoRoomFor() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try {
            server.use(AdminAccess.of(new AdminConfig(LOCAL.address(), 200, null, null, null), server.access()));
            for (int i = 0; i < 100; i++) {
                RawClient client = connect();
                clients.add(client);
                assertThat(get(client, "/health").status()).isEqualTo(200);
            }
            server.use(AdminAccess.of(LOCAL, server.access()));
            try (RawClient next = connect()) {
                assertThat(get(next, "/health").status()).isEqualTo(200);
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void closesConnectionsBeyondTheMostItKeepsIfARequestIsUnderWayOnEach() throws Exception {
        source.metrics = new CompletableFuture<>();
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < LOCAL.connections(); i++) {
                RawClient client = connect();
                clients.add(client);
                assertThat(get(client, "/health").status()).isEqualTo(200);
            }
            for (RawClient client : clients) {
                client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
            eventually(() -> assertThat(source.scrapes).hasValue(LOCAL.connections()));
            try (RawClient oneTooMany = connect()) {
                oneTooMany.awaitEnd();
            }
            AdminConfig larger = new AdminConfig(LOCAL.address(), LOCAL.connections() + 1, null, null, null);
            server.use(AdminAccess.of(larger, server.access()));
            try (RawClient another = connect()) {
                assertThat(get(another, "/health").status()).isEqualTo(200);
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void pagesThatFailedAreCreatedForTheNextClient() throws Exception {
        AtomicInteger faults = new AtomicInteger(2);
        try (AdminServer late = AdminServer.start(
                LOCAL, source, new AdminServer.Times(Duration.ofSeconds(10), Duration.ofMillis(10)), (from, loop) -> {
                    if (faults.getAndDecrement() > 0) {
                        throw new NoClassDefFoundError("the jar is being replaced");
                    }
                    return new AdminPages(from, loop);
                })) {
            for (int i = 0; i < 2; i++) {
                try (RawClient client = RawClient.connect(late.address())) {
                    assertThat(client.awaitEnd()).isNotNull();
                }
            }
            try (RawClient client = RawClient.connect(late.address())) {
                assertThat(get(client, "/health").status()).isEqualTo(200);
            }
        }
    }

    /** The pages are created for the first client, while the others wait. */
    @Test
    void theFirstConcurrentClientsGetResponsesEvenIfSomeDisconnect() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                clients.add(connect());
                clients.get(i).send("GET /health HTTP/1.1\r\nHost: 127.0.0.1:8081\r\n\r\n");
            }
            for (int gone = 0; gone < 4; gone++) {
                clients.remove(0).close();
            }
            for (RawClient client : clients) {
                assertThat(client.readResponse().status()).isEqualTo(200);
                assertThat(get(client, "/ready").status()).isEqualTo(200);
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void refusesAPortInUseInOneLine() {
        BindAddress taken = new BindAddress("127.0.0.1", server.address().getPort());
        assertThatThrownBy(() -> AdminServer.start(new AdminConfig(taken), source))
                .isInstanceOf(StartFailure.class)
                .hasMessage("admin: can't bind " + taken + ": the address is already in use");
    }

    private RawClient connect() throws Exception {
        return RawClient.connect(server.address());
    }

    private static RawMessage get(RawClient client, String target) throws Exception {
        return client.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:8081\r\n\r\n")
                .readResponse();
    }
}
