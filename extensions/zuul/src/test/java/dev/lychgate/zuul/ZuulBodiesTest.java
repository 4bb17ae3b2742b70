package dev.lychgate.zuul;

import static dev.lychgate.zuul.ZuulGateway.filter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The ugly half: long bodies, failures of post filters, HEAD, unannounced bodies, and concurrent requests. */
class ZuulBodiesTest {
    private static final String SHOUT =
            filter("Shout", "post", 1, "ctx.responseBody = ctx.responseDataStream.getText('UTF-8').toUpperCase()");

    private final List<RawMessage> seen = new CopyOnWriteArrayList<>();
    private final ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> {
        seen.add(request);
        String body = request.target().startsWith("/long") ? "x".repeat(5000) : "body of " + request.target();
        connection.send(Responses.of(200, request.method().equals("HEAD") ? "" : body, "ETag: \"1\""));
    });

    @AfterEach
    void close() {
        origin.close();
    }

    private ZuulGateway gateway(String filter) throws Exception {
        return ZuulGateway.start(origin, Map.of("body-limit", "2KiB"), Map.of("pre/F.groovy", filter));
    }

    @Test
    void rejectsRequestWithBodyAboveTheLimitOfAFilterThatReadsIt() throws Exception {
        try (ZuulGateway gateway = gateway(filter("Reads", "pre", 1, "ctx.request.inputStream.text"))) {
            assertThat(gateway.post("/", "text/plain", "x".repeat(3000)).status())
                    .isEqualTo(413);
            assertThat(seen).isEmpty();
        }
    }

    @Test
    void streamsLongBodiesPastFiltersThatDoNotReadThem() throws Exception {
        try (ZuulGateway gateway = gateway(filter("Head", "post", 1, "ctx.addZuulResponseHeader('x-a', 'b')"))) {
            RawMessage response = gateway.post("/long", "text/plain", "y".repeat(30_000));

            assertThat(response.body()).hasSize(5000);
            assertThat(response.value("x-a")).contains("b");
            assertThat(seen.get(0).body()).hasSize(30_000);
        }
    }

    @Test
    void responseAboveTheLimitFailsTheExchange() throws Exception {
        try (ZuulGateway gateway = gateway(SHOUT)) {
            assertThat(gateway.get("/long").status()).isEqualTo(500);
            assertThat(gateway.get("/short").body()).isEqualTo("BODY OF /SHORT");
        }
    }

    @Test
    void failureOfPostFilterFailsTheExchange() throws Exception {
        try (ZuulGateway gateway = gateway(filter("Fails", "post", 1, "throw new IllegalStateException('broken')"))) {
            RawMessage response = gateway.get("/");

            assertThat(response.status()).isEqualTo(500);
            assertThat(response.body()).doesNotContain("body of", "broken");
        }
    }

    @Test
    void responseToHeadHasNoBodyEvenIfAFilterSetsOne() throws Exception {
        try (ZuulGateway gateway = gateway(filter("Sets", "post", 1, "ctx.responseBody = 'text'"))) {
            assertThat(gateway.get("/").body()).isEqualTo("text");
            RawMessage head = gateway.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
        }
    }

    @Test
    void postFilterDecompressesResponseAndOtherResponsesStayCompressed() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("packed text".getBytes(StandardCharsets.UTF_8));
        }
        String reads = filter("Reads", "post", 1, """
                if (ctx.responseGZipped && ctx.request.requestURI == '/read') {
                    ctx.responseBody = new java.util.zip.GZIPInputStream(ctx.responseDataStream).getText('UTF-8')
                }""");
        try (ScriptedOrigin compressed = ScriptedOrigin.answering((request, connection) -> {
                    connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + packed.size()
                            + "\r\n\r\n");
                    connection.send(packed.toByteArray());
                });
                ZuulGateway gateway = ZuulGateway.start(compressed, Map.of(), Map.of("post/F.groovy", reads))) {
            RawMessage read = gateway.get("/read");
            RawMessage other = gateway.get("/other");

            assertThat(read.body()).isEqualTo("packed text");
            assertThat(read.value("content-encoding")).isEmpty();
            assertThat(other.value("content-encoding")).contains("gzip");
            assertThat(other.value("content-length")).contains(Integer.toString(packed.size()));
        }
    }

    @Test
    void readingABodyInAnUnknownWayNamesTheSetting() throws Exception {
        String hidden = filter("Hidden", "pre", 1, """
                String name = 'getInput' + 'Stream'
                try {
                    ctx.addZuulRequestHeader('x-body', ctx.request."$name"().text)
                } catch (IllegalStateException e) {
                    ctx.addZuulRequestHeader('x-failure', e.message)
                }""");
        try (ZuulGateway gateway = gateway(hidden)) {
            gateway.post("/", "text/plain", "hello");
            assertThat(seen.get(0).value("x-failure"))
                    .hasValueSatisfying(text -> assertThat(text).contains("extensions.zuul.buffer"));
        }
        seen.clear();
        try (ZuulGateway gateway =
                ZuulGateway.start(origin, Map.of("buffer", List.of("Hidden")), Map.of("pre/F.groovy", hidden))) {
            gateway.post("/", "text/plain", "hello");
            assertThat(seen.get(0).value("x-body")).contains("hello");
        }
    }

    @Test
    void concurrentRequestsHaveSeparateContexts() throws Exception {
        String mixes = filter("Marks", "pre", 1, "ctx.set('own', ctx.request.requestURI); Thread.sleep(1)")
                + filter("Checks", "post", 1, "RequestContext.currentContext.addZuulResponseHeader('x-own', ctx.own)")
                        .replaceAll("(?m)^import.*$", "");
        ExecutorService clients = Executors.newFixedThreadPool(16);
        try (ZuulGateway gateway = gateway(mixes)) {
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                String path = "/" + i;
                all.add(clients.submit(
                        () -> gateway.get(path).value("x-own").orElse("").equals(path)));
            }
            for (Future<Boolean> each : all) {
                assertThat(each.get()).isTrue();
            }
        } finally {
            clients.shutdown();
        }
    }
}
