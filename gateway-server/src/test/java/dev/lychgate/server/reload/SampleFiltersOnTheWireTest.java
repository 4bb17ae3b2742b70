package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RequestScript;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters of config/filters before an origin on a real socket, and their state over reloads. */
@Tag("slow")
class SampleFiltersOnTheWireTest {
    private static final Path SAMPLES = Path.of("../config/filters");
    private static final String EVENTS = "Content-Type: text/event-stream";
    private static final String START =
            "data: {\"message\":{\"model\":\"claude-opus-4-1\",\"usage\":{\"input_tokens\":30,\"output_tokens\":1}}}\n\n";
    private static final String END = "data: {\"usage\":{\"output_tokens\":70}}\n\n";

    @TempDir
    Path home = Path.of("");

    private FilterDirectoryGateway start(RequestScript script, String routeFilters, String... samples)
            throws Exception {
        List<String> files = new ArrayList<>();
        for (String sample : samples) {
            files.add(sample + ".groovy");
            files.add(Files.readString(SAMPLES.resolve(sample + ".groovy")));
        }
        return new FilterDirectoryGateway(
                home, ScriptedOrigin.answering(script), routeFilters, files.toArray(String[]::new));
    }

    private static void reload(FilterDirectoryGateway gateway) throws Exception {
        assertThat(gateway.reload("inbound/other.groovy", "filter { }")).isInstanceOf(Outcome.Taken.class);
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    @Test
    void meteredEventsAreNotDelayedAndTheBudgetOutlivesAReload() throws Exception {
        CountDownLatch received = new CountDownLatch(1);
        try (FilterDirectoryGateway gateway = start(
                (request, origin) -> {
                    origin.send(Responses.head(200, EVENTS, "Transfer-Encoding: chunked") + "\r\n");
                    // An event is not complete, and passes nevertheless.
                    origin.send(chunk(START.substring(0, 60)));
                    received.await();
                    origin.send(chunk(START.substring(60)) + chunk(END) + "0\r\n\r\n");
                },
                "{ LlmBudget: { tokens: 100, per: 1h } }, LlmUsage",
                "inbound/LlmBudget",
                "outbound/LlmUsage",
                "lib/LlmUsageReader",
                "lib/JsonPaths",
                "lib/TokenBuckets")) {
            try (RawClient client = gateway.client()) {
                client.send("POST /a/ HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
                client.readHead();
                assertThat(new String(client.readBytes(64), UTF_8)).isEqualTo("3c\r\n" + START.substring(0, 60));
                received.countDown();
                client.readBytes(
                        2 + chunk(START.substring(60)).length() + chunk(END).length() + 5);
            }
            eventually(() -> assertThat(gateway.admin("/metrics"))
                    .contains(
                            own("tokens", "claude-opus input", 30),
                            own("tokens", "claude-opus output", 70),
                            own("responses", "complete", 1)));
            reload(gateway);
            RawMessage refused = gateway.get("/a/");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.value("retry-after")).isPresent();
            assertThat(gateway.get("/b").status()).isEqualTo(200);
            assertThat(gateway.warnings()).isEmpty();
        }
    }

    private static String own(String name, String label, int value) {
        return "lychgate_filter_own_total{file=\"outbound/LlmUsage.groovy\",label=\"" + label + "\",name=\"" + name
                + "\"} " + value + ".0";
    }

    @Test
    void aResponseThatTheOriginCutsOffCountsWhatItHasReportedAndIsChargedByItsEvents() throws Exception {
        try (FilterDirectoryGateway gateway = start(
                (request, origin) -> {
                    origin.send(Responses.head(200, EVENTS, "Transfer-Encoding: chunked") + "\r\n" + chunk(START)
                            + chunk("data: {}\n\n".repeat(20)) + chunk(END.substring(0, 30)));
                    origin.close();
                },
                "{ LlmBudget: { tokens: 40, per: 1h } }, LlmUsage",
                "inbound/LlmBudget",
                "outbound/LlmUsage",
                "lib/LlmUsageReader",
                "lib/JsonPaths",
                "lib/TokenBuckets")) {
            try (RawClient client = gateway.client()) {
                client.send("GET /a/ HTTP/1.1\r\nHost: a\r\n\r\n");
                client.readUntilClose();
            }
            eventually(() -> assertThat(gateway.admin("/metrics"))
                    .contains(
                            own("tokens", "claude-opus input", 30),
                            own("tokens", "claude-opus output", 1),
                            own("responses", "aborted", 1)));
            // 31 tokens were reported, but there were 21 events.
            assertThat(gateway.get("/a/").status()).isEqualTo(429);
        }
    }

    @Test
    void aCompressedResponseIsReadBetweenTheFiltersThatDecodeAndEncodeIt() throws Exception {
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (GZIPOutputStream encoder = new GZIPOutputStream(gzip)) {
            encoder.write((START + END).getBytes(UTF_8));
        }
        for (String filters : List.of("LlmUsage", "{ decompress: { responses: true } }, LlmUsage, compress")) {
            try (FilterDirectoryGateway gateway = start(
                    (request, origin) -> origin.send(Responses.head(
                                            200, EVENTS, "Content-Encoding: gzip", "Content-Length: " + gzip.size())
                                    + "\r\n")
                            .send(gzip.toByteArray()),
                    filters,
                    "outbound/LlmUsage",
                    "lib/LlmUsageReader",
                    "lib/JsonPaths")) {
                assertThat(gateway.get("/a/").status()).isEqualTo(200);
                boolean decoded = filters.contains("decompress");
                eventually(() -> assertThat(gateway.admin("/metrics"))
                        .contains(
                                decoded ? own("tokens", "claude-opus output", 70) : own("responses", "unreadable", 1)));
            }
        }
    }

    @Test
    void aValueInTwoEventsIsMaskedWhileTheResponseStreams() throws Exception {
        String first = "data: {\"choices\":[{\"delta\":{\"content\":\"Write to ada@exa\"}}]}\n\n";
        String second = "data: {\"choices\":[{\"delta\":{\"content\":\"mple.com, \"}}]}\n\n";
        CountDownLatch received = new CountDownLatch(1);
        try (FilterDirectoryGateway gateway = start(
                (request, origin) -> {
                    origin.send(Responses.head(200, EVENTS, "Transfer-Encoding: chunked") + "\r\n" + chunk(first));
                    received.await();
                    origin.send(chunk(second) + "0\r\n\r\n");
                },
                "PiiMasking",
                "outbound/PiiMasking",
                "lib/PiiEvents",
                "lib/PiiText")) {
            try (RawClient client = gateway.client()) {
                client.send("GET /a/ HTTP/1.1\r\nHost: a\r\n\r\n");
                client.readHead();
                String passed = chunk(first.replace("ada@exa", ""));
                assertThat(new String(client.readBytes(passed.length()), UTF_8)).isEqualTo(passed);
                received.countDown();
                String masked = chunk(second.replace("mple.com,", "***,")) + "0\r\n\r\n";
                assertThat(new String(client.readBytes(masked.length()), UTF_8)).isEqualTo(masked);
            }
        }
    }

    @Test
    void limitsOutliveAReload() throws Exception {
        try (FilterDirectoryGateway gateway = start(
                (request, origin) -> origin.send(Responses.ok("origin")),
                "{ RateLimit: { size: 2, per: 1h } }",
                "inbound/RateLimit",
                "lib/TokenBuckets")) {
            assertThat(gateway.get("/a/").status()).isEqualTo(200);
            reload(gateway);
            assertThat(gateway.get("/a/").status()).isEqualTo(200);
            reload(gateway);
            assertThat(gateway.get("/a/").status()).isEqualTo(429);
            gateway.configure("{ RateLimit: { size: 3, per: 1h } }");
            reload(gateway);
            assertThat(gateway.get("/a/").status()).isEqualTo(200);
        }
    }

    @Test
    void verdictsOutliveAReloadAndTheCacheHasNoTokens() throws Exception {
        Path credentials = Files.writeString(home.resolve("credentials.txt"), "gateway:secret\n");
        AtomicInteger calls = new AtomicInteger();
        try (FilterDirectoryGateway gateway = start(
                (request, origin) -> {
                    boolean call = request.target().equals("/introspect");
                    calls.addAndGet(call ? 1 : 0);
                    origin.send(Responses.ok(
                            call ? "{\"active\":" + request.body().endsWith("good") + ",\"sub\":\"ada\"}" : "origin"));
                },
                "{ TokenIntrospection: { upstream: origin, prefix: /a/, credentials-file: \"" + credentials + "\" } }",
                "inbound/TokenIntrospection")) {
            for (int i = 0; i < 3; i++) {
                try (RawClient client = gateway.client()) {
                    client.send("GET /a/ HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a-good\r\n\r\n");
                    assertThat(client.readResponse().status()).isEqualTo(200);
                }
                try (RawClient client = gateway.client()) {
                    client.send("GET /a/ HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a-bad\r\n\r\n");
                    assertThat(client.readResponse().status()).isEqualTo(401);
                }
                reload(gateway);
            }
            assertThat(calls).hasValue(2);
            assertThat(gateway.admin("/filters"))
                    .contains("active at origin /introspect")
                    .doesNotContain("a-good", "secret");
        }
    }

    @Test
    void aRedactedDocumentStreams() throws Exception {
        CountDownLatch received = new CountDownLatch(1);
        try (FilterDirectoryGateway gateway = start(
                (request, origin) -> {
                    origin.send(Responses.head(200, "Content-Type: application/json", "Transfer-Encoding: chunked")
                            + "\r\n" + chunk("{\"a\": 1, \"password\": [\"x"));
                    received.await();
                    origin.send(chunk("\"], \"b\": 2}") + "0\r\n\r\n");
                },
                "RedactJson",
                "outbound/RedactJson",
                "lib/JsonRedaction")) {
            try (RawClient client = gateway.client()) {
                client.send("GET /a/ HTTP/1.1\r\nHost: a\r\n\r\n");
                client.readHead();
                assertThat(new String(client.readBytes(9), UTF_8)).isEqualTo("6\r\n{\"a\":1");
                received.countDown();
                assertThat(new String(client.readBytes(17), UTF_8)).isEqualTo("\r\n7\r\n,\"b\":2}\r\n0\r\n");
            }
        }
    }
}
