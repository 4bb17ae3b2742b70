package dev.lychgate.gateway;

import static dev.lychgate.gateway.CachedOrigin.CACHE;
import static dev.lychgate.gateway.CachedOrigin.STALE;
import static dev.lychgate.gateway.CachedOrigin.cached;
import static dev.lychgate.gateway.CachedOrigin.get;
import static dev.lychgate.gateway.CachedOrigin.numbering;
import static dev.lychgate.gateway.CachedOrigin.request;
import static dev.lychgate.gateway.CachedOrigin.start;
import static dev.lychgate.gateway.CachedOrigin.status;
import static dev.lychgate.testing.Eventually.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.cache.CacheOutcome;
import dev.lychgate.cache.ResponseCaches;
import dev.lychgate.cache.RouteCache;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.CacheMemoryConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.PathPolicy;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses from the cache, with real sockets. */
@Tag("slow")
class CacheTest {
    private static final String FRESH = "Cache-Control: max-age=60";
    private static final MatchConfig GETS =
            new MatchConfig(List.of(), null, List.of("GET"), Map.of(), Map.of(), List.of(), null);

    private static ResponseCaches caches(Running gateway) {
        return requireNonNull(gateway.gateway().generation().caches());
    }

    private static RouteCache ofAll(Running gateway) {
        return requireNonNull(caches(gateway).of("all"));
    }

    private static RouteConfig route(String id, MatchConfig match) {
        return new RouteConfig(id, 0, match, RewriteConfig.NONE, new RouteAction.Proxy("origin"), RouteTimeouts.UNSET);
    }

    private static GatewayConfig with(GatewayConfig config, RouteConfig... routes) {
        return new GatewayConfig(
                config.workers(),
                config.transport(),
                config.drain(),
                config.listeners(),
                List.of(routes),
                config.upstreams(),
                null,
                config.accessLog());
    }

    // ---- hits

    @Test
    void sendsAStoredResponseWithoutTheOrigin() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH, "X-A: b", "Content-Type: text/plain");
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            RawMessage first = get(client, "/a");
            assertThat(first.body()).isEqualTo("n1");
            assertThat(status(first)).isEqualTo("Lychgate; fwd=uri-miss; fwd-status=200; stored");
            RawMessage second = get(client, "/a");
            assertThat(second.body()).isEqualTo("n1");
            assertThat(second.startLine()).isEqualTo(first.startLine());
            assertThat(second.value("age").orElse("")).matches("\\d");
            assertThat(second.value("x-a")).contains("b");
            assertThat(second.value("content-type")).contains("text/plain");
            assertThat(second.value("date")).isPresent();
            assertThat(status(second)).isEqualTo("Lychgate; hit; ttl=60");
            assertThat(get(client, "/b").body()).isEqualTo("n2");
            assertThat(origin.requestsSeen()).isEqualTo(2);
            assertThat(gateway.nextOutcome().attempts()).isEqualTo(1);
            Outcome hit = gateway.nextOutcome();
            assertThat(hit.attempts()).isZero();
            assertThat(hit.status()).isEqualTo(200);
            assertThat(hit.responseBytes()).isEqualTo(2);
            assertThat(ofAll(gateway).counted(CacheOutcome.HIT)).isEqualTo(1);
            assertThat(caches(gateway).entries()).isEqualTo(2);
        }
    }

    @Test
    void storesNothingWithoutACacheOnTheRoute() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            assertThat(get(client, "/a").body()).isEqualTo("n1");
            RawMessage second = get(client, "/a");
            assertThat(second.body()).isEqualTo("n2");
            assertThat(second.has("cache-status")).isFalse();
            assertThat(gateway.gateway().generation().caches()).isNull();
        }
    }

    @Test
    void appendsItsStatusToThatOfCachesCloserToTheOrigin() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH, "Cache-Status: Inner; hit");
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(status(get(client, "/a"))).isEqualTo("Inner; hit, Lychgate; hit; ttl=60");
        }
    }

    @Test
    void storesBodiesInChunksAndWithoutTheirTrailers() throws Exception {
        String chunked = Responses.head(200, FRESH, "Transfer-Encoding: chunked", "Trailer: x-t")
                + "\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nx-t: 1\r\n\r\n";
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((r, c) -> c.send(chunked));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            assertThat(get(client, "/a").body()).isEqualTo("abcde");
            RawMessage second = get(client, "/a");
            assertThat(second.body()).isEqualTo("abcde");
            assertThat(second.value("content-length")).contains("5");
            assertThat(second.has("trailer")).isFalse();
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void sharesStoredResponsesAmongEventLoopsAndProtocols() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = cached(origin, CACHE).workers(4).start()) {
            for (int i = 0; i < 8; i++) {
                try (RawClient client = gateway.client()) {
                    assertThat(get(client, "/a", "Host: lychgate.test").body()).isEqualTo("n1");
                }
            }
            try (Http2Client client = gateway.http2()) {
                assertThat(client.get(1, "/a").response(1).body()).isEqualTo("n1");
            }
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    // ---- methods

    @Test
    void respondsToHeadFromTheResponseToGet() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            assertThat(request(client, "HEAD", "/a").status()).isEqualTo(200);
            assertThat(get(client, "/a").body()).isEqualTo("n2");
            RawMessage head = request(client, "HEAD", "/a");
            assertThat(head.value("content-length")).contains("2");
            assertThat(status(head)).isEqualTo("Lychgate; hit; ttl=60");
            assertThat(get(client, "/a").body()).isEqualTo("n2");
            assertThat(origin.requestsSeen()).isEqualTo(2);
        }
    }

    @Test
    void forwardsHeadIfTheRouteServesOnlyGet() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = cached(origin, CACHE.withMethods("GET")).start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(status(request(client, "HEAD", "/a"))).isEmpty();
            assertThat(origin.requestsSeen()).isEqualTo(2);
        }
    }

    @Test
    void invalidatesAfterASuccessfulUnsafeRequest() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a");
            get(client, "/b");
            request(client, "POST", "/a", "Content-Length: 0");
            assertThat(get(client, "/b").body()).isEqualTo("n2");
            assertThat(get(client, "/a").body()).isEqualTo("n4");
        }
    }

    @Test
    void invalidatesTheResourcesOfTheSameHostThatAResponseNames() throws Exception {
        try (ScriptedOrigin origin =
                        CachedOrigin.answering(request -> request.method().equals("POST")
                                ? new String[] {"Location: http://shop/a", "Content-Location: /b"}
                                : new String[] {FRESH});
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a");
            get(client, "/b");
            get(client, "/a", "Host: other");
            request(client, "POST", "/c", "Content-Length: 0");
            assertThat(get(client, "/a").body()).isEqualTo("n5");
            assertThat(get(client, "/b").body()).isEqualTo("n6");
            assertThat(get(client, "/a", "Host: other").body()).isEqualTo("n3");
        }
    }

    @Test
    void invalidatesNothingAfterAFailedUnsafeRequest() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(
                        request.method().equals("POST") ? Responses.of(500, "x") : Responses.of(200, "y", FRESH)));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a");
            request(client, "POST", "/a", "Content-Length: 0");
            assertThat(status(get(client, "/a"))).contains("hit");
        }
    }

    @Test
    void invalidatesByRequestsOnRoutesWithoutACache() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = Running.start(
                        with(
                                Setup.to(origin.address()).config(),
                                route("read", GETS).withCache(CACHE),
                                route("write", MatchConfig.ANY)),
                        FilterSet.EMPTY);
                RawClient client = gateway.client()) {
            get(client, "/a");
            request(client, "DELETE", "/a");
            assertThat(get(client, "/a").body()).isEqualTo("n3");
        }
    }

    // ---- conditions and ranges

    @Test
    void evaluatesTheConditionsOfClients() throws Exception {
        String modified = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT";
        try (ScriptedOrigin origin = numbering(FRESH, "ETag: \"v\"", modified, "Content-Type: text/plain");
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a");
            RawMessage same = get(client, "/a", "If-None-Match: \"u\", W/\"v\"");
            assertThat(same.status()).isEqualTo(304);
            assertThat(same.value("etag")).contains("\"v\"");
            assertThat(same.value("cache-control")).contains("max-age=60");
            assertThat(same.has("content-length")).isFalse();
            assertThat(same.has("content-type")).isFalse();
            assertThat(get(client, "/a", "If-None-Match: \"u\"").status()).isEqualTo(200);
            assertThat(get(client, "/a", "If-None-Match: *").status()).isEqualTo(304);
            assertThat(get(client, "/a", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT")
                            .status())
                    .isEqualTo(304);
            assertThat(get(client, "/a", "If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT")
                            .status())
                    .isEqualTo(200);
            assertThat(get(client, "/a", "If-Modified-Since: tomorrow").status())
                    .isEqualTo(200);
            String later = "If-Modified-Since: Sun, 06 Nov 1999 08:49:37 GMT";
            assertThat(get(client, "/a", "If-None-Match: \"u\"", later).status())
                    .isEqualTo(200);
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void sendsRangesOfACompleteStoredResponse() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays(
                        (r, c) -> c.send(Responses.of(200, "0123456789", FRESH, "ETag: \"v\"")));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a");
            RawMessage range = get(client, "/a", "Range: bytes=2-4");
            assertThat(range.status()).isEqualTo(206);
            assertThat(range.body()).isEqualTo("234");
            assertThat(range.value("content-range")).contains("bytes 2-4/10");
            assertThat(get(client, "/a", "Range: bytes=-3").body()).isEqualTo("789");
            RawMessage beyond = get(client, "/a", "Range: bytes=10-");
            assertThat(beyond.status()).isEqualTo(416);
            assertThat(beyond.value("content-range")).contains("bytes */10");
            assertThat(get(client, "/a", "Range: bytes=1-2", "If-Range: \"v\"").body())
                    .isEqualTo("12");
            assertThat(get(client, "/a", "Range: bytes=1-2", "If-Range: \"u\"").status())
                    .isEqualTo(200);
            assertThat(get(client, "/a", "Range: bytes=1-2,4-5").body()).isEqualTo("0123456789");
            assertThat(request(client, "HEAD", "/a", "Range: bytes=1-2").status())
                    .isEqualTo(200);
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    // ---- validation

    @Test
    void validatesAStaleResponseAndUpdatesItsFields() throws Exception {
        try (ScriptedOrigin origin = CachedOrigin.validating(
                        STALE, "Cache-Control: max-age=90", "ETag: \"1\"", "X-B: new", "Content-Type: wrong/type");
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            assertThat(get(client, "/a").body()).isEqualTo("n1");
            RawMessage validated = get(client, "/a");
            assertThat(validated.status()).isEqualTo(200);
            assertThat(validated.body()).isEqualTo("n1");
            assertThat(validated.value("x-b")).contains("new");
            assertThat(validated.has("content-type")).isFalse();
            assertThat(status(validated)).isEqualTo("Lychgate; fwd=stale; fwd-status=304; ttl=90");
            assertThat(status(get(client, "/a"))).isEqualTo("Lychgate; hit; ttl=90");
            assertThat(origin.requests().get(1).value("if-none-match")).contains("\"1\"");
            assertThat(origin.requestsSeen()).isEqualTo(2);
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    void replacesAStaleResponseThatTheOriginHasChanged() throws Exception {
        try (ScriptedOrigin origin = numbering(STALE);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a");
            RawMessage second = get(client, "/a", "If-None-Match: \"other\"", "Range: bytes=0-0");
            assertThat(second.status()).isEqualTo(200);
            assertThat(second.body()).isEqualTo("n2");
            assertThat(status(second)).isEqualTo("Lychgate; fwd=stale; fwd-status=200; stored");
            assertThat(origin.requests().get(1).value("if-none-match")).contains("\"1\"");
            assertThat(origin.requests().get(1).has("range")).isFalse();
            assertThat(caches(gateway).entries()).isEqualTo(1);
        }
    }

    @Test
    void respondsToConditionalClientsAfterAValidation() throws Exception {
        try (ScriptedOrigin origin = CachedOrigin.validating(STALE, "ETag: \"1\"");
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(get(client, "/a", "If-None-Match: \"1\"").status()).isEqualTo(304);
            RawMessage range = get(client, "/a", "Range: bytes=1-1");
            assertThat(range.status()).isEqualTo(206);
            assertThat(range.body()).isEqualTo("1");
        }
    }

    @Test
    void keepsNoResponseWhoseValidationForbidsIt() throws Exception {
        try (ScriptedOrigin origin = CachedOrigin.validating(STALE, "Cache-Control: no-store", "ETag: \"1\"");
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(get(client, "/a").body()).isEqualTo("n1");
            assertThat(caches(gateway).entries()).isZero();
        }
    }

    @Test
    void removesAResponseThatTheOriginReplacesByAPrivateOne() throws Exception {
        try (ScriptedOrigin origin = CachedOrigin.answering(
                        request -> request.has("if-none-match") ? new String[] {"Cache-Control: private"} : STALE);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(status(get(client, "/a"))).endsWith("detail=private");
            assertThat(caches(gateway).entries()).isZero();
        }
    }

    @Test
    void validatesResponsesWithNoCacheForEveryRequest() throws Exception {
        try (ScriptedOrigin origin = CachedOrigin.validating(
                        new String[] {"Cache-Control: no-cache, max-age=60", "ETag: \"1\""}, "ETag: \"1\"");
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(get(client, "/a").body()).isEqualTo("n1");
            }
            assertThat(origin.requestsSeen()).isEqualTo(3);
        }
    }

    // ---- clients

    @Test
    void obeysTheDirectivesOfClients() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            assertThat(get(client, "/a", "Cache-Control: only-if-cached").status())
                    .isEqualTo(504);
            assertThat(get(client, "/a", "Cache-Control: no-store").body()).isEqualTo("n1");
            assertThat(get(client, "/a").body()).isEqualTo("n2");
            assertThat(get(client, "/a", "Cache-Control: only-if-cached").body())
                    .isEqualTo("n2");
            assertThat(get(client, "/a", "Cache-Control: min-fresh=61").body()).isEqualTo("n3");
            assertThat(get(client, "/a", "Cache-Control: no-cache").body()).isEqualTo("n4");
            assertThat(get(client, "/a", "Pragma: no-cache").body()).isEqualTo("n5");
            assertThat(get(client, "/a").body()).isEqualTo("n5");
        }
    }

    @Test
    void ignoresTheDirectivesOfClientsIfTheRouteDoes() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway =
                        cached(origin, CACHE.withClientDirectives(false)).start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(get(client, "/a", "Cache-Control: no-cache, max-age=0").body())
                    .isEqualTo("n1");
        }
    }

    // ---- keys

    @Test
    void storesOneResponsePerSelectingField() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH, "Vary: Accept-Language");
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a", "Accept-Language: de");
            RawMessage english = get(client, "/a", "Accept-Language: en");
            assertThat(english.body()).isEqualTo("n2");
            assertThat(status(english)).startsWith("Lychgate; fwd=vary-miss;");
            assertThat(get(client, "/a", "Accept-Language: de").body()).isEqualTo("n1");
            assertThat(get(client, "/a", "Accept-Language: en").body()).isEqualTo("n2");
            assertThat(get(client, "/a").body()).isEqualTo("n3");
        }
    }

    @Test
    void storesOneResponsePerConfiguredPartOfTheRequest() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = cached(
                                origin, CACHE.withKey("header:x-tenant").withIgnoredQuery("utm_*"))
                        .start();
                RawClient client = gateway.client()) {
            get(client, "/a?x=1&utm_source=b", "X-Tenant: a");
            assertThat(get(client, "/a?x=1", "X-Tenant: a").body()).isEqualTo("n1");
            assertThat(get(client, "/a?x=1", "X-Tenant: b").body()).isEqualTo("n2");
            assertThat(get(client, "/a?x=2", "X-Tenant: a").body()).isEqualTo("n3");
            assertThat(origin.requests().get(0).target()).isEqualTo("/a?x=1&utm_source=b");
        }
    }

    // ---- filters

    @Test
    void runsAllInboundFiltersBeforeAndAllOutboundFiltersAfterTheCache() throws Exception {
        FilterSet filters = FilterSet.of(
                TestFilter.inbound(
                        exchange -> exchange.getRequest().getHeaders().contains("x-reject")
                                ? exchange.respond(403)
                                : exchange.proceed()),
                TestFilter.outbound(exchange -> {
                    exchange.getResponse()
                            .getHeaders()
                            .set("x-out", exchange.getRequest().getPath());
                    return exchange.proceed();
                }));
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = cached(origin, CACHE).filters(filters).start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            RawMessage hit = get(client, "/a");
            assertThat(hit.body()).isEqualTo("n1");
            assertThat(hit.value("x-out")).contains("/a");
            assertThat(get(client, "/a", "X-Reject: 1").status()).isEqualTo(403);
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void storesTheResponseOfTheOriginRatherThanThatOfFilters() throws Exception {
        FilterSet filters = FilterSet.of(TestFilter.outbound(exchange -> {
            String own = exchange.getRequest().getHeaders().get("x-own");
            if (own != null) {
                exchange.getResponse().getHeaders().set("x-secret", own);
                if (own.equals("body")) {
                    exchange.getResponse().setBody(own.getBytes(US_ASCII));
                }
            }
            return exchange.proceed();
        }));
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = cached(origin, CACHE).filters(filters).start();
                RawClient client = gateway.client()) {
            assertThat(get(client, "/a", "X-Own: mine").value("x-secret")).contains("mine");
            RawMessage other = get(client, "/a");
            assertThat(other.body()).isEqualTo("n1");
            assertThat(other.has("x-secret")).isFalse();
            assertThat(get(client, "/a", "X-Own: body").body()).isEqualTo("body");
            assertThat(get(client, "/a").body()).isEqualTo("n1");
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    // ---- bodies

    @Test
    void discardsAnIncompleteResponse() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.send(Responses.head(200, FRESH, "Content-Length: 10") + "\r\nabc");
                            c.close();
                        })
                        .onConnection(c -> c.answerEvery(r -> Responses.of(200, "whole", FRESH)));
                Running gateway = start(origin)) {
            try (RawClient client = gateway.client()) {
                client.send("GET /a HTTP/1.1\r\nHost: shop\r\n\r\n").awaitEnd();
            }
            try (RawClient client = gateway.client()) {
                assertThat(get(client, "/a").body()).isEqualTo("whole");
            }
        }
    }

    @Test
    void discardsAResponseWhoseFirstClientLeaves() throws Exception {
        Gate left = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((r, c) -> {
                    c.send(Responses.head(200, FRESH, "Content-Length: 6") + "\r\nabc");
                    left.await();
                    c.send("def");
                });
                Running gateway = start(origin)) {
            try (RawClient client = gateway.client()) {
                client.send("GET /a HTTP/1.1\r\nHost: shop\r\n\r\n").readHead();
            }
            gateway.nextOutcome();
            left.open();
            try (RawClient client = gateway.client()) {
                assertThat(get(client, "/a").body()).isEqualTo("abcdef");
            }
            assertThat(origin.requestsSeen()).isEqualTo(2);
        }
    }

    @Test
    void passesBodiesThatAreLongerThanTheLargestEntry() throws Exception {
        String body = "x".repeat(3000);
        String chunked = Responses.chunked(body, body).replaceFirst("\r\n", "\r\n" + FRESH + "\r\n");
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((r, c) ->
                        c.send(r.target().equals("/sized") ? Responses.of(200, body + body, FRESH) : chunked));
                Running gateway =
                        cached(origin, CACHE.withMaxEntry(ByteSize.ofKiB(4))).start();
                RawClient client = gateway.client()) {
            for (String target : List.of("/sized", "/chunked")) {
                assertThat(get(client, target).body()).isEqualTo(body + body);
                assertThat(get(client, target).body()).isEqualTo(body + body);
            }
            assertThat(origin.requestsSeen()).isEqualTo(4);
            assertThat(caches(gateway).entries()).isZero();
            eventually(() -> assertThat(caches(gateway).bytes()).isZero());
        }
    }

    @Test
    void sendsLargeBodiesAtThePaceOfASlowClient() throws Exception {
        String body = "0123456789abcdef".repeat(60_000);
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answeringWhoStays((r, c) -> c.send(Responses.of(200, body, FRESH)));
                Running gateway = start(origin)) {
            try (RawClient client = gateway.client()) {
                assertThat(get(client, "/a", "Host: lychgate.test").body()).isEqualTo(body);
            }
            try (RawClient slow =
                    RawClient.connectWithReceiveBuffer(gateway.gateway().address("main"), 4096)) {
                slow.send("GET /a HTTP/1.1\r\nHost: lychgate.test\r\n\r\n").readHead();
                try (RawClient other = gateway.client()) {
                    assertThat(status(get(other, "/a", "Host: lychgate.test"))).contains("hit");
                }
                assertThat(new String(slow.readBytes(body.length()), US_ASCII)).isEqualTo(body);
                assertThat(get(slow, "/a", "Host: lychgate.test").body()).isEqualTo(body);
            }
            try (Http2Client client = gateway.http2()) {
                assertThat(client.get(1, "/a").response(1).body()).isEqualTo(body);
            }
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void staysWithinItsMemoryAndReturnsItWhenTheGatewayStops() throws Exception {
        String body = "x".repeat(20_000);
        long before = MemoryBudget.OF_PROCESS.held();
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answeringWhoStays((r, c) -> c.send(Responses.of(200, body, FRESH)));
                Running gateway = cached(origin, CACHE)
                        .cacheMemory(new CacheMemoryConfig(ByteSize.ofMiB(1), 1000))
                        .start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 500; i++) {
                assertThat(get(client, "/" + i).body()).isEqualTo(body);
                assertThat(caches(gateway).bytes()).isLessThanOrEqualTo(1 << 20);
            }
            assertThat(caches(gateway).entries()).isGreaterThan(40);
            assertThat(MemoryBudget.OF_PROCESS.held() - before).isGreaterThan(800_000);
        }
        eventually(() -> assertThat(MemoryBudget.OF_PROCESS.held()).isLessThanOrEqualTo(before));
    }

    // ---- generations

    @Test
    void keepsStoredResponsesInTheNextGenerationUnlessTheCacheOfTheRouteChanges() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            GatewayConfig config = gateway.gateway().generation().config();
            get(client, "/a");
            gateway.gateway().apply(with(config, route("all", MatchConfig.ANY).withCache(CACHE)), FilterSet.EMPTY);
            assertThat(get(client, "/a").body()).isEqualTo("n1");
            gateway.gateway()
                    .apply(
                            with(config, route("all", MatchConfig.ANY).withCache(CACHE.withTtl(Duration.ofMinutes(1)))),
                            FilterSet.EMPTY);
            assertThat(get(client, "/a").body()).isEqualTo("n2");
        }
    }

    @Test
    void removesAllStoredResponsesWhenNoRouteHasACacheAnyMore() throws Exception {
        long before = MemoryBudget.OF_PROCESS.held();
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            GatewayConfig config = gateway.gateway().generation().config();
            get(client, "/a");
            gateway.gateway().apply(with(config, route("all", MatchConfig.ANY)), FilterSet.EMPTY);
            assertThat(get(client, "/a").body()).isEqualTo("n2");
            eventually(() -> assertThat(MemoryBudget.OF_PROCESS.held()).isLessThanOrEqualTo(before));
        }
    }

    @Test
    void purgesByUriPrefixAndTag() throws Exception {
        try (ScriptedOrigin origin = CachedOrigin.answering(request -> new String[] {
                    FRESH, "Cache-Tag: all, of-" + request.target().substring(1, 2)
                });
                Running gateway = cached(origin, CACHE.withTags("cache-tag").withKey("header:x-tenant"))
                        .start();
                RawClient client = gateway.client()) {
            ResponseCaches caches = caches(gateway);
            for (String target : List.of("/a/1", "/a/2?b=c", "/b/1", "/c/1")) {
                get(client, target, "X-Tenant: t");
            }
            get(client, "/a/1", "X-Tenant: u");
            assertThat(caches.largest(2)).hasSize(2);
            assertThat(caches.largest(9)).extracting(ResponseCaches.Listed::uri).contains("http://shop/a/2?b=c");
            assertThat(caches.purgeUri("http://SHOP:80/a/1")).isEqualTo(2);
            assertThat(caches.purgeUri("http://shop/a/2")).isZero();
            assertThat(caches.purgePrefix("http://shop/a/")).isEqualTo(1);
            assertThat(caches.purgeTag("of-b")).isEqualTo(1);
            assertThat(caches.entries()).isEqualTo(1);
            assertThat(status(get(client, "/c/1", "X-Tenant: t"))).contains("hit");
            assertThat(caches.purgeTag("all")).isEqualTo(1);
            get(client, "/a/1");
            assertThat(caches.purgeAll()).isEqualTo(1);
            assertThat(status(get(client, "/a/1"))).contains("fwd=uri-miss");
            assertThatThrownBy(() -> caches.purgeUri("/a")).hasMessageContaining("http://");
            assertThatThrownBy(() -> caches.purgeUri("https:///a")).hasMessageContaining("host");
        }
    }

    /** An operator, or the software of a site, writes a URI in another spelling than the key. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP://Shop:80/%7euser/b%c3%a4r",
                "http://shop:/~user/b%C3%A4r",
                "http://shop/x/../%7Euser/./b%c3%a4r",
                "http://shop//~user//b%C3%A4r",
                "http://shop/~user/b\u00e4r",
                "http://shop/~user/b%C3%A4r#part",
            })
    void purgesAUriInAnySpelling(String uri) throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/~user/b%C3%A4r");
            get(client, "/~user/b%C3%A4r/more");
            assertThat(caches(gateway).purgeUri(uri)).isEqualTo(1);
            assertThat(caches(gateway).purgePrefix(uri.replaceAll("#.*", "") + "/M/../m"))
                    .isEqualTo(1);
        }
    }

    @Test
    void purgesAUriWhosePathAListenerAcceptsByItsSettings() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = cached(origin, CACHE)
                        .paths(new PathPolicy(true, true, true, true, true, true))
                        .start();
                RawClient client = gateway.client()) {
            get(client, "/a%2fb");
            get(client, "/c%5c");
            assertThat(caches(gateway).purgeUri("http://shop/a%2fb")).isEqualTo(1);
            assertThat(caches(gateway).purgeUri("http://shop/c%5C")).isEqualTo(1);
            assertThatThrownBy(() -> caches(gateway).purgeUri("http://shop/a%zz"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a URI with a valid path");
        }
    }

    @Test
    void storesNoResponseThatWasRequestedBeforeAPurge() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> {
                    gate.await();
                    c.send(Responses.of(200, "old", FRESH));
                });
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.send("GET /a HTTP/1.1\r\nHost: shop\r\n\r\n");
            origin.awaitRequests(1);
            caches(gateway).purgePrefix("http://shop/");
            gate.open();
            assertThat(client.readResponse().body()).isEqualTo("old");
            assertThat(caches(gateway).entries()).isZero();
        }
    }

    @Test
    void usesTheLifetimesOfTheRoute() throws Exception {
        try (ScriptedOrigin origin = numbering();
                Running gateway = cached(origin, CACHE.withDefaultTtl(Duration.ofMinutes(2)))
                        .start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(status(get(client, "/a"))).isEqualTo("Lychgate; hit; ttl=120");
        }
    }
}
