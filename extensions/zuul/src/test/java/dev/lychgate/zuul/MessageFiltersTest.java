package dev.lychgate.zuul;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Filters of Zuul 2 in a gateway, between a client and an origin on real sockets. */
class MessageFiltersTest {
    private static final String IMPORTS = """
            import com.netflix.zuul.context.*
            import com.netflix.zuul.filters.http.*
            import com.netflix.zuul.message.http.*
            import com.netflix.zuul.netty.filter.ZuulEndPointRunner
            import com.netflix.zuul.stats.status.*
            import rx.Observable
            """;

    private final List<RawMessage> seen = new CopyOnWriteArrayList<>();
    private final ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> {
        seen.add(request);
        connection.send(Responses.of(200, "from the origin", "X-Origin: yes", "Content-Type: text/plain"));
    });
    private final ScriptedOrigin users = ScriptedOrigin.answering((request, connection) -> {
        seen.add(request);
        connection.send(Responses.ok("users"));
    });

    @AfterEach
    void close() {
        origin.close();
        users.close();
    }

    /** Returns the text of a filter. @param members further members @param apply the body of apply(), in which message is the message */
    private static String filter(String name, String base, int order, String members, String apply) {
        boolean out = base.contains("Outbound");
        String input = out ? "HttpResponseMessage" : "HttpRequestMessage";
        String output = out || base.contains("Endpoint") ? "HttpResponseMessage" : "HttpRequestMessage";
        boolean async = !base.contains("Sync");
        return IMPORTS
                + """
                class %s extends %s {
                    int filterOrder() { %d }
                    boolean shouldFilter(%s message) { true }
                    %s
                    %s(%s message) {
                        SessionContext ctx = message.context
                        %s
                    }
                }
                """.formatted(
                                name,
                                base,
                                order,
                                input,
                                members,
                                async ? "Observable<" + output + "> applyAsync" : output + " apply",
                                input,
                                apply);
    }

    private static String inbound(String name, int order, String apply) {
        return filter(name, "HttpInboundSyncFilter", order, "", apply + "\nmessage");
    }

    private static String outbound(String name, int order, String apply) {
        return filter(name, "HttpOutboundSyncFilter", order, "", apply + "\nmessage");
    }

    private ZuulGateway gateway(String... filters) throws Exception {
        return gateway(Map.of(), filters);
    }

    private ZuulGateway gateway(Map<String, Object> settings, String... filters) throws Exception {
        Map<String, String> files = new TreeMap<>();
        for (int i = 0; i < filters.length; i++) {
            files.put("inbound/F" + i + ".groovy", filters[i]);
        }
        return ZuulGateway.start(origin, users, settings, files);
    }

    @Test
    void inboundFilterReadsAndChangesTheRequest() throws Exception {
        try (ZuulGateway gateway = gateway(inbound("Changes", 1, """
                message.headers.set('X-Seen', message.headers.getFirst('x-client') + ' ' + message.method + ' ' + message.pathAndQuery)
                message.headers.remove('x-client')
                message.headers.add('X-Twice', '1')
                message.headers.add('X-Twice', '2')
                message.path = '/v2' + message.path
                message.queryParams.set('page', '3 4')
                message.queryParams.removeAll('old')
                message.headers.set('X-Host', message.originalHost + ' ' + message.clientIp + ' ' + message.reconstructURI())
                message.headers.set('X-Cookie', message.parseCookies().getFirstValue('id'))"""))) {
            gateway.get("/items?page=1&old=x", "X-Client: me", "Cookie: id=7; b=c");

            RawMessage sent = seen.get(0);
            assertThat(sent.target()).isEqualTo("/v2/items?page=3%204");
            assertThat(sent.value("x-seen")).contains("me GET /items?page=1&old=x");
            assertThat(sent.value("x-client")).isEmpty();
            assertThat(sent.values("x-twice")).containsExactly("1", "2");
            assertThat(sent.value("x-host"))
                    .contains("shop.example 127.0.0.1 http://shop.example:8080/v2/items?page=3%204");
            assertThat(sent.value("x-cookie")).contains("7");
        }
    }

    @Test
    void outboundFilterReadsAndChangesTheResponse() throws Exception {
        try (ZuulGateway gateway =
                gateway(inbound("Remembers", 1, "ctx.set('start', message.path)"), outbound("Changes", 1, """
                        message.headers.set('X-Path', ctx.start + ' ' + message.inboundRequest.path + ' ' + message.status)
                        message.headers.remove('X-Origin')
                        message.status = 203
                        message.setBodyAsText(message.bodyAsText.toUpperCase())"""))) {
            RawMessage response = gateway.get("/a");

            assertThat(response.status()).isEqualTo(203);
            assertThat(response.value("x-path")).contains("/a /a 200");
            assertThat(response.value("x-origin")).isEmpty();
            assertThat(response.body()).isEqualTo("FROM THE ORIGIN");
        }
    }

    @Test
    void asynchronousFilterCompletesLater() throws Exception {
        try (ZuulGateway gateway = gateway(
                filter("Later", "HttpInboundFilter", 1, "", """
                        Observable.just(message).delay(5, java.util.concurrent.TimeUnit.MILLISECONDS)
                                .map { it.headers.set('X-Later', 'yes'); it }"""),
                filter("Nothing", "HttpInboundFilter", 2, "", "Observable.empty()"),
                inbound("Last", 3, "message.headers.set('X-Last', message.headers.getFirst('x-later'))"))) {
            gateway.get("/");

            assertThat(seen.get(0).value("x-last")).contains("yes");
        }
    }

    @Test
    void bodyIsKeptOnlyIfTheFilterNeedsIt() throws Exception {
        String asks = "boolean needsBodyBuffered(HttpRequestMessage message) { message.path == '/kept' }";
        String reads = "if (message.path == '/kept') message.setBodyAsText(message.getBodyAsText().reverse())\nmessage";
        try (ZuulGateway gateway = gateway(
                Map.of("body-limit", "1KiB"),
                inbound("Before", 1, "message.headers.set('X-Before', '1')"),
                filter("Asks", "HttpInboundSyncFilter", 1, asks, reads))) {
            gateway.post("/kept", "text/plain", "hello");
            gateway.post("/streamed", "text/plain", "x".repeat(5000));

            assertThat(seen.get(0).body()).isEqualTo("olleh");
            assertThat(seen.get(1).body()).hasSize(5000);
            assertThat(gateway.post("/kept", "text/plain", "x".repeat(5000)).status())
                    .isEqualTo(413);
        }
    }

    @Test
    void chosenEndpointResponds() throws Exception {
        String endpoint = filter("Health", "HttpSyncEndpoint", 0, "", """
                def response = new HttpResponseMessageImpl(ctx, message, 202)
                response.setBodyAsText('healthy ' + message.path)
                response.headers.set('X-Endpoint', 'Health')
                response""");
        try (ZuulGateway gateway = gateway(
                endpoint, inbound("Chooses", 1, """
                        ctx.setEndpoint(message.path == '/health' ? Health.canonicalName
                                : message.path == '/missing' ? 'Missing' : ZuulEndPointRunner.PROXY_ENDPOINT_FILTER_NAME)
                        ctx.setRouteVIP(message.path == '/users' ? 'users-vip' : null)"""), outbound("Marks", 1, "message.headers.set('X-Out', 'ran')"))) {
            RawMessage health = gateway.get("/health");

            assertThat(health.status()).isEqualTo(202);
            assertThat(health.body()).isEqualTo("healthy /health");
            assertThat(health.value("x-endpoint")).contains("Health");
            assertThat(health.value("x-out")).contains("ran");
            assertThat(seen).isEmpty();
            assertThat(gateway.get("/other").body()).isEqualTo("from the origin");
            assertThat(gateway.get("/missing").status()).isEqualTo(500);
            assertThat(gateway.get("/users").status()).isEqualTo(503);
        }
    }

    @Test
    void vipSelectsTheUpstream() throws Exception {
        try (ZuulGateway gateway = gateway(
                Map.of("vips", Map.of("users-vip", "users")), inbound("Routes", 1, "ctx.setRouteVIP('users-vip')"))) {
            assertThat(gateway.get("/").body()).isEqualTo("users");
        }
    }

    @Test
    void staticResponseIsSentAndStoppedFiltersDoNotRun() throws Exception {
        try (ZuulGateway gateway = gateway(
                inbound("Refuses", 1, """
                        def response = new HttpResponseMessageImpl(ctx, message, 429)
                        response.setBodyAsText('too many')
                        ctx.setStaticResponse(response)
                        ctx.stopFilterProcessing()"""),
                inbound("Later", 2, "ctx.set('later')"),
                filter(
                        "Always",
                        "HttpOutboundSyncFilter",
                        1,
                        "boolean overrideStopFilterProcessing() { true }",
                        "message.headers.set('X-Later', String.valueOf(ctx.later)); message"))) {
            RawMessage response = gateway.get("/");

            assertThat(response.status()).isEqualTo(429);
            assertThat(response.body()).isEqualTo("too many");
            assertThat(response.value("x-later")).contains("null");
            assertThat(seen).isEmpty();
        }
    }

    @Test
    void errorEndpointRespondsToFailures() throws Exception {
        String error = filter("Failed", "HttpSyncEndpoint", 0, "", """
                def response = new HttpResponseMessageImpl(ctx, message, 502)
                response.setBodyAsText(ctx.getError().message + ' ' + ctx.getFilterErrors().size())
                response""");
        try (ZuulGateway gateway = gateway(
                error,
                inbound("Chooses", 1, "ctx.setErrorEndpoint('Failed')"),
                inbound("Fails", 2, "if (message.path == '/fail') throw new IllegalStateException('broken')"))) {
            RawMessage failed = gateway.get("/fail");

            assertThat(failed.status()).isEqualTo(502);
            assertThat(failed.body()).isEqualTo("broken 1");
            assertThat(gateway.get("/").status()).isEqualTo(200);
            origin.close();
            assertThat(gateway.get("/").body()).isEqualTo("connect-refused 0");
        }
    }

    @Test
    void failureWithoutErrorEndpointIsProblem() throws Exception {
        try (ZuulGateway gateway = gateway(inbound("Fails", 1, "throw new IllegalStateException('broken')"))) {
            RawMessage response = gateway.get("/");

            assertThat(response.status()).isEqualTo(500);
            assertThat(response.value("content-type")).contains("application/problem+json");
        }
    }

    @Test
    void failureOfOutboundFilterDoesNotChangeTheResponse() throws Exception {
        try (ZuulGateway gateway = gateway(outbound("Fails", 1, "throw new IllegalStateException('broken')"))) {
            assertThat(gateway.get("/").body()).isEqualTo("from the origin");
        }
    }

    @Test
    void chunksOfTheBodyAreProcessed() throws Exception {
        String chunks = """
                io.netty.handler.codec.http.HttpContent processContentChunk(com.netflix.zuul.message.ZuulMessage message,
                        io.netty.handler.codec.http.HttpContent chunk) {
                    String text = chunk.content().toString(java.nio.charset.StandardCharsets.UTF_8)
                    chunk.release()
                    new io.netty.handler.codec.http.DefaultHttpContent(
                            io.netty.buffer.Unpooled.wrappedBuffer(text.toUpperCase().bytes))
                }""";
        try (ZuulGateway gateway = gateway(filter("Chunks", "HttpOutboundSyncFilter", 1, chunks, "message"))) {
            assertThat(gateway.get("/").body()).isEqualTo("FROM THE ORIGIN");
        }
    }

    @Test
    void annotationDeclaresOrderAndType() throws Exception {
        String annotated = IMPORTS + """
                import com.netflix.zuul.Filter
                import com.netflix.zuul.filters.*

                @Filter(order = 7, type = FilterType.OUTBOUND)
                class Annotated extends BaseSyncFilter<HttpResponseMessage, HttpResponseMessage> {
                    boolean shouldFilter(HttpResponseMessage message) { true }
                    HttpResponseMessage getDefaultOutput(HttpResponseMessage message) { message }
                    HttpResponseMessage apply(HttpResponseMessage message) {
                        message.headers.set('X-Annotated', 'yes')
                        StatusCategoryUtils.setStatusCategory(message.context, ZuulStatusCategory.SUCCESS)
                        message
                    }
                }
                """;
        try (ZuulGateway gateway = gateway(annotated)) {
            assertThat(gateway.get("/").value("x-annotated")).contains("yes");
        }
        try (BuiltFilters built = ZuulGateway.build(Map.of(), Map.of("inbound/A.groovy", annotated))) {
            assertThat(built.filters())
                    .filteredOn(each -> each.name().equals("Annotated"))
                    .singleElement()
                    .satisfies(each -> assertThat(each.filter().order()).isEqualTo(7));
        }
    }

    @Test
    void annotationWithoutTypeDeclaresInboundFilter() throws Exception {
        String annotated = IMPORTS + """
                import com.netflix.zuul.Filter
                import com.netflix.zuul.filters.*

                @Filter(order = 3)
                class Annotated extends BaseSyncFilter<HttpRequestMessage, HttpRequestMessage> {
                    boolean shouldFilter(HttpRequestMessage message) { true }
                    HttpRequestMessage getDefaultOutput(HttpRequestMessage message) { message }
                    HttpRequestMessage apply(HttpRequestMessage message) {
                        message.headers.set('X-Annotated', 'yes')
                        message
                    }
                }
                """;
        try (ZuulGateway gateway = gateway(annotated)) {
            gateway.get("/");
            assertThat(seen.get(0).value("x-annotated")).contains("yes");
        }
    }

    @Test
    void filterKeepsItsGzipperBetweenChunks() throws Exception {
        String compressing = """
                io.netty.handler.codec.http.HttpContent processContentChunk(com.netflix.zuul.message.ZuulMessage message,
                        io.netty.handler.codec.http.HttpContent chunk) {
                    def gzipper = message.context.get(com.netflix.zuul.context.CommonContextKeys.GZIPPER)
                    gzipper.write(chunk)
                    if (chunk instanceof io.netty.handler.codec.http.LastHttpContent) {
                        gzipper.finish()
                        return new io.netty.handler.codec.http.DefaultLastHttpContent(gzipper.byteBuf)
                    }
                    new io.netty.handler.codec.http.DefaultHttpContent(gzipper.byteBuf)
                }""";
        try (ZuulGateway gateway = gateway(filter("Compressing", "HttpOutboundSyncFilter", 1, compressing, """
                if (!com.netflix.zuul.util.HttpUtils.isCompressed(message.headers)) {
                    ctx.put(com.netflix.zuul.context.CommonContextKeys.GZIPPER, new com.netflix.zuul.util.Gzipper())
                    message.headers.set('Content-Encoding', 'gzip')
                    message.headers.remove('Content-Length')
                    message.headers.set('X-Compressed', "${com.netflix.zuul.util.HttpUtils.isCompressed(message.headers)}")
                }
                message"""))) {
            RawMessage response = gateway.get("/");
            assertThat(response.value("x-compressed")).contains("true");
            try (GZIPInputStream plain = new GZIPInputStream(new ByteArrayInputStream(response.bodyBytes()))) {
                assertThat(plain.readAllBytes()).asString(UTF_8).isEqualTo("from the origin");
            }
        }
    }

    @Test
    void constructorsWithParametersAreRefused() {
        assertThatThrownBy(() -> ZuulGateway.build(
                        Map.of(),
                        Map.of(
                                "inbound/Injected.groovy",
                                filter(
                                        "Injected",
                                        "HttpInboundSyncFilter",
                                        1,
                                        "Injected(String name) { }",
                                        "message"))))
                .isInstanceOf(FilterFaultsException.class)
                .hasMessageContaining("inbound/Injected.groovy")
                .hasMessageContaining("the gateway does not inject objects");
    }

    @Test
    void filtersOfBothVersionsAreInOneGeneration() throws Exception {
        try (ZuulGateway gateway = gateway(
                ZuulGateway.filter("One", "pre", 1, "ctx.addZuulRequestHeader('x-one', '1')"),
                inbound("Two", 2, "message.headers.set('X-Two', '2')"))) {
            gateway.get("/");

            assertThat(seen.get(0).value("x-one")).contains("1");
            assertThat(seen.get(0).value("x-two")).contains("2");
        }
    }

    @Test
    void documentedFilterRuns() throws Exception {
        try (ZuulGateway gateway =
                gateway(Map.of("vips", Map.of("users-vip", "users")), DocumentedFilter.block("groovy zuul2"))) {
            assertThat(gateway.get("/orders/1").body()).isEqualTo("users");
            assertThat(seen.get(0).value("x-tenant")).contains("shop.example");
            assertThat(gateway.get("/other").body()).isEqualTo("from the origin");
        }
    }
}
