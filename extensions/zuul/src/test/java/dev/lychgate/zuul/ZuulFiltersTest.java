package dev.lychgate.zuul;

import static dev.lychgate.zuul.ZuulGateway.filter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Filters of Zuul 1 in a gateway, between a client and an origin on real sockets. */
class ZuulFiltersTest {
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

    private ZuulGateway gateway(String... filters) throws Exception {
        return gateway(Map.of(), filters);
    }

    private ZuulGateway gateway(Map<String, Object> settings, String... filters) throws Exception {
        Map<String, String> files = new java.util.TreeMap<>();
        for (int i = 0; i < filters.length; i++) {
            files.put("pre/F" + i + ".groovy", filters[i]);
        }
        return ZuulGateway.start(origin, users, settings, files);
    }

    @Test
    void preFilterSetsHeaderOfRequestToOrigin() throws Exception {
        try (ZuulGateway gateway = gateway(filter(
                "Stamp",
                "pre",
                1,
                "ctx.addZuulRequestHeader('X-Stamp', ctx.request.getHeader('x-client') + ctx.request.method)"))) {
            RawMessage response = gateway.get("/a?b=c", "X-Client: me ");

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("from the origin");
            assertThat(seen.get(0).target()).isEqualTo("/a?b=c");
            assertThat(seen.get(0).value("x-stamp")).contains("meGET");
        }
    }

    @Test
    void runsFiltersOfTypeByOrderAndThenByName() throws Exception {
        String note = "ctx.set('notes', (ctx.get('notes') ?: '') + getClass().simpleName)";
        try (ZuulGateway gateway = gateway(
                filter("C", "pre", 2, note),
                filter("B", "pre", 1, note),
                filter("D", "pre", 1, note),
                filter("Z", "pre", 9, "ctx.addZuulRequestHeader('x-notes', ctx.notes)"))) {
            gateway.get("/");

            assertThat(seen.get(0).value("x-notes")).contains("BDC");
        }
    }

    @Test
    void consecutiveFiltersRunOnOneThread() throws Exception {
        String note =
                "ctx.set('threads', (ctx.threads ?: [] as Set) + System.identityHashCode(Thread.currentThread()))";
        try (ZuulGateway gateway = gateway(
                filter("A", "pre", 1, note),
                filter("B", "pre", 2, note),
                filter("C", "pre", 3, note),
                filter("D", "pre", 4, note),
                filter(
                        "E",
                        "pre",
                        5,
                        note + "; ctx.addZuulRequestHeader('x-threads', ctx.threads.size().toString())"))) {
            for (int i = 0; i < 20; i++) {
                gateway.get("/");
            }

            assertThat(seen)
                    .hasSize(20)
                    .allSatisfy(
                            request -> assertThat(request.value("x-threads")).contains("1"));
        }
    }

    @Test
    void failureOfOneOfConsecutiveFiltersEndsTheRun() throws Exception {
        try (ZuulGateway gateway = gateway(
                filter("A", "pre", 1, "ctx.set('trail', 'A')"),
                filter("B", "pre", 2, "ctx.trail += 'B'; throw new IllegalStateException('broken')"),
                filter("C", "pre", 3, "ctx.trail += 'C'"),
                filter("Handles", "error", 1, "ctx.responseStatusCode = 500; ctx.responseBody = ctx.trail"),
                filter("Handles2", "error", 2, "ctx.responseBody += ctx.throwable.errorCause"))) {
            assertThat(gateway.get("/").body()).isEqualTo("ABpre:B");
            assertThat(gateway.runs("A")).isEqualTo(1);
            assertThat(gateway.runs("B")).isEqualTo(1);
            assertThat(gateway.runs("C")).isZero();
        }
    }

    @Test
    void refusedRequestDoesNotReachOriginAndPostFiltersStillRun() throws Exception {
        try (ZuulGateway gateway = gateway(
                filter(
                        "Refuse",
                        "pre",
                        1,
                        "ctx.setSendZuulResponse(false); ctx.setResponseStatusCode(403); ctx.responseBody = 'no'"),
                filter("Later", "pre", 2, "ctx.addZuulResponseHeader('x-later', 'pre')"),
                filter("Routed", "route", 1, "ctx.addZuulResponseHeader('x-route', 'ran')"),
                filter(
                        "After",
                        "post",
                        1,
                        "ctx.addZuulResponseHeader('x-after', ctx.responseStatusCode + ctx.responseBody)"))) {
            RawMessage response = gateway.get("/");

            assertThat(response.status()).isEqualTo(403);
            assertThat(response.body()).isEqualTo("no");
            assertThat(response.value("x-later")).contains("pre");
            assertThat(response.value("x-after")).contains("403no");
            assertThat(response.value("x-route")).isEmpty();
            assertThat(response.value("content-type")).isEmpty();
            assertThat(seen).isEmpty();
        }
    }

    @Test
    void statusOfOriginOverwritesStatusOfPreFilter() throws Exception {
        try (ZuulGateway gateway = gateway(filter("Status", "pre", 1, "ctx.setResponseStatusCode(418)"))) {
            assertThat(gateway.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void postFilterReadsAndReplacesBody() throws Exception {
        try (ZuulGateway gateway = gateway(filter(
                "Shout", "post", 1, "ctx.responseBody = ctx.responseDataStream.getText('UTF-8').toUpperCase()"))) {
            RawMessage response = gateway.get("/");

            assertThat(response.body()).isEqualTo("FROM THE ORIGIN");
            assertThat(response.value("content-type")).contains("text/plain;charset=UTF-8");
            assertThat(response.value("x-origin")).contains("yes");
        }
    }

    @Test
    void postFilterChangesHeadersOfOrigin() throws Exception {
        try (ZuulGateway gateway = gateway(filter("Drop", "post", 1, """
                ctx.zuulResponseHeaders.removeAll { it.first().equalsIgnoreCase('x-origin') }
                ctx.addZuulResponseHeader('x-more', '1')
                ctx.response.setHeader('x-servlet', '2')
                ctx.response.status = 203"""))) {
            RawMessage response = gateway.get("/");

            assertThat(response.status()).isEqualTo(203);
            assertThat(response.value("x-origin")).isEmpty();
            assertThat(response.value("x-more")).contains("1");
            assertThat(response.value("x-servlet")).contains("2");
            assertThat(response.body()).isEqualTo("from the origin");
        }
    }

    @Test
    void changesAfterCommitHaveNoEffect() throws Exception {
        try (ZuulGateway gateway =
                gateway(filter("Late", "post", 1001, "ctx.responseBody = 'late'; ctx.responseStatusCode = 500"))) {
            RawMessage response = gateway.get("/");

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("from the origin");
        }
    }

    @Test
    void errorFilterRespondsToFailureOfPreFilter() throws Exception {
        try (ZuulGateway gateway = gateway(
                filter("Fails", "pre", 1, "throw new com.netflix.zuul.exception.ZuulException('denied', 401, 'token')"),
                filter("Handles", "error", 1, """
                        def e = ctx.throwable
                        ctx.responseStatusCode = e.nStatusCode
                        ctx.responseBody = e.errorCause"""),
                filter("After", "post", 1, "ctx.addZuulResponseHeader('x-after', 'ran')"))) {
            RawMessage response = gateway.get("/");

            assertThat(response.status()).isEqualTo(401);
            assertThat(response.body()).isEqualTo("token");
            assertThat(response.value("content-type")).isEmpty();
            assertThat(response.value("x-after")).contains("ran");
            assertThat(seen).isEmpty();
        }
    }

    @Test
    void errorFilterGetsTypeAndNameOfFilterThatThrewAnotherException() throws Exception {
        try (ZuulGateway gateway = gateway(
                filter("Fails", "route", 1, "throw new IllegalStateException('broken')"),
                filter("Handles", "error", 1, """
                        ctx.responseStatusCode = 500
                        ctx.responseBody = ctx.throwable.errorCause + ' ' + ctx.throwable.cause.message"""))) {
            assertThat(gateway.get("/").body()).isEqualTo("route:Fails broken");
        }
    }

    @Test
    void errorFilterRespondsToFailureOfPostFilter() throws Exception {
        try (ZuulGateway gateway = gateway(
                filter(
                        "Fails",
                        "post",
                        1,
                        "ctx.addZuulResponseHeader('x-a', 'b'); throw new IllegalStateException('broken')"),
                filter("Handles", "error", 1, """
                        ctx.responseStatusCode = 502
                        ctx.responseBody = ctx.throwable.errorCause"""))) {
            RawMessage response = gateway.get("/");

            assertThat(response.status()).isEqualTo(502);
            assertThat(response.body()).isEqualTo("post:Fails");
            assertThat(response.value("x-origin")).isEmpty();
            assertThat(response.value("x-a")).contains("b");
        }
    }

    @Test
    void errorFilterGetsFailureOfOrigin() throws Exception {
        Map<String, String> files = Map.of(
                "pre/F0.groovy",
                filter("Any", "pre", 1, "ctx.set('a', 'b')"),
                "pre/F1.groovy",
                filter("Handles", "error", 1, """
                        ctx.responseStatusCode = ctx.throwable.nStatusCode
                        ctx.responseBody = ctx.throwable.errorCause + ctx.a"""));
        try (RefusingPort dead = new RefusingPort();
                ZuulGateway gateway = ZuulGateway.start(dead.address().getPort(), users.port(), Map.of(), files)) {
            RawMessage response = gateway.get("/");

            assertThat(response.status()).isEqualTo(502);
            assertThat(response.body()).isEqualTo("connect-refusedb");
        }
    }

    @Test
    void errorFilterThatSetsOnlyABodyRespondsWithStatus200() throws Exception {
        try (ZuulGateway gateway = gateway(
                filter("Fails", "pre", 1, "throw new IllegalStateException('broken')"),
                filter("Handles", "error", 1, "ctx.responseBody = 'sorry'"))) {
            RawMessage response = gateway.get("/");

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("sorry");
        }
    }

    @Test
    void failureWithoutErrorFilterIsProblem() throws Exception {
        try (ZuulGateway gateway = gateway(filter("Fails", "pre", 1, "throw new IllegalStateException('broken')"))) {
            RawMessage response = gateway.get("/");

            assertThat(response.status()).isEqualTo(500);
            assertThat(response.value("content-type")).contains("application/problem+json");
            assertThat(response.body()).doesNotContain("broken");
        }
    }

    @Test
    void readBodyIsSentAgain() throws Exception {
        try (ZuulGateway gateway = gateway(filter(
                "Reads", "pre", 1, "ctx.addZuulRequestHeader('x-body', ctx.request.inputStream.getText('UTF-8'))"))) {
            gateway.post("/", "text/plain", "hello");

            assertThat(seen.get(0).body()).isEqualTo("hello");
            assertThat(seen.get(0).value("x-body")).contains("hello");
        }
    }

    @Test
    void parametersContainQueryAndForm() throws Exception {
        try (ZuulGateway gateway = gateway(filter("Reads", "pre", 1, """
                ctx.addZuulRequestHeader('x-a', ctx.request.getParameter('a'))
                ctx.addZuulRequestHeader('x-b', ctx.request.getParameter('b'))"""))) {
            gateway.post("/?a=1", "application/x-www-form-urlencoded", "b=%C3%A4+2");

            assertThat(seen.get(0).value("x-a")).contains("1");
            assertThat(seen.get(0).body()).isEqualTo("b=%C3%A4+2");
        }
    }

    @Test
    void requestUtilitiesReadFormsThatStayInTheRequest() throws Exception {
        try (ZuulGateway gateway = gateway(
                filter(
                        "Reads",
                        "pre",
                        1,
                        "ctx.addZuulRequestHeader('x-b', com.netflix.zuul.util.HTTPRequestUtils.instance.getValueFromRequestElements('b'))"))) {
            gateway.post("/", "application/x-www-form-urlencoded", "b=7");

            assertThat(seen.get(0).value("x-b")).contains("7");
            assertThat(seen.get(0).body()).isEqualTo("b=7");
        }
    }

    @Test
    void bodyOfWrapperIsSentInPlaceOfReceivedBody() throws Exception {
        try (ZuulGateway gateway = gateway(filter("Wraps", "pre", 1, """
                byte[] bytes = ctx.request.inputStream.text.reverse().bytes
                ctx.request = new javax.servlet.http.HttpServletRequestWrapper(ctx.request) {
                    javax.servlet.ServletInputStream getInputStream() {
                        new com.netflix.zuul.http.ServletInputStreamWrapper(bytes)
                    }
                    String getMethod() { 'PUT' }
                }"""))) {
            gateway.post("/", "text/plain", "hello");

            assertThat(seen.get(0).method()).isEqualTo("PUT");
            assertThat(seen.get(0).body()).isEqualTo("olleh");
        }
    }

    @Test
    void streamOfTheContextIsSentInPlaceOfTheReceivedBody() throws Exception {
        try (ZuulGateway gateway =
                gateway(filter("Sets", "pre", 1, "ctx.requestEntity = new ByteArrayInputStream('replaced'.bytes)"))) {
            gateway.post("/", "text/plain", "hello");

            assertThat(seen.get(0).method()).isEqualTo("POST");
            assertThat(seen.get(0).body()).isEqualTo("replaced");
        }
    }

    @Test
    void contextHasTheMethodsOfNetflix() throws Exception {
        try (ZuulGateway gateway =
                gateway(Map.of("vips", Map.of("users-vip", "users")), filter("Routes", "pre", 1, """
                        def own = com.netflix.zuul.context.NFRequestContext.getCurrentContext()
                        assert own.is(ctx) && !own.hasRouteVIPOrHost()
                        own.setRouteVIP('users-vip')
                        own.setEventProperty('vip', own.routeVIP)
                        own.set('route', 'group')
                        own.addZuulRequestHeader('x-event', "${own.eventProperties} ${own.route} ${own.hasRouteVIPOrHost()}")"""))) {
            assertThat(gateway.get("/").body()).isEqualTo("users");
            assertThat(seen.get(0).value("x-event")).contains("[vip:users-vip] group true");
        }
    }

    @Test
    void failuresAreCountedByRouteAndCause() throws Exception {
        try (ZuulGateway gateway = gateway(filter("Counts", "pre", 1, """
                def stats = com.netflix.zuul.stats.ErrorStatsManager.manager
                stats.putStats('orders/list', 'late')
                stats.putStats(null, 'late')
                ctx.addZuulRequestHeader('x-count', "${stats.getStats('orders/list', 'late').count}"
                        + " ${stats.getStats('/path', 'late').count} ${stats.getStats('none', 'late')}")"""))) {
            gateway.get("/path");

            assertThat(seen.get(0).value("x-count")).contains("1 1 null");
        }
    }

    @Test
    void vipAndRouteHostSelectUpstream() throws Exception {
        try (ZuulGateway gateway = gateway(
                Map.of("vips", Map.of("users-vip", "users"), "route-hosts", Map.of("http://users.example:81", "users")),
                filter("Routes", "pre", 1, """
                        if (ctx.request.requestURI == '/vip') ctx.set('routeVIP', 'users-vip')
                        if (ctx.request.requestURI == '/host') ctx.routeHost = new URL('http://users.example:81/')
                        if (ctx.request.requestURI == '/other') ctx.routeHost = new URL('http://169.254.169.254/')
                        if (ctx.request.requestURI == '/missing') ctx.set('serviceId', 'nobody')"""))) {
            assertThat(gateway.get("/vip").body()).isEqualTo("users");
            assertThat(gateway.get("/host").body()).isEqualTo("users");
            assertThat(gateway.get("/none").body()).isEqualTo("from the origin");
            assertThat(gateway.get("/other").status()).isEqualTo(503);
            assertThat(gateway.get("/missing").status()).isEqualTo(503);
            assertThat(gateway.get("/missing").body()).contains("nobody");
        }
    }

    @Test
    void contextKeysReplacePathAndQuery() throws Exception {
        try (ZuulGateway gateway = gateway(filter("Rewrites", "pre", 1, """
                ctx.requestURI = '/v2' + ctx.request.requestURI
                ctx.requestQueryParams = [q: ['a b', 'c']]"""))) {
            gateway.get("/items?old=1");

            assertThat(seen.get(0).target()).isEqualTo("/v2/items?q=a%20b&q=c");
        }
    }

    @Test
    void routeFilterRespondsInPlaceOfOrigin() throws Exception {
        try (ZuulGateway gateway = gateway(filter("Fetches", "route", 1, """
                ctx.responseStatusCode = 201
                ctx.responseDataStream = new ByteArrayInputStream('own'.bytes)"""))) {
            RawMessage response = gateway.get("/");

            assertThat(response.status()).isEqualTo(201);
            assertThat(response.body()).isEqualTo("own");
            assertThat(seen).isEmpty();
        }
    }

    @Test
    void filterOfOtherTypeRunsOnlyOnRequest() throws Exception {
        try (ZuulGateway gateway = gateway(
                """
                import com.netflix.zuul.filters.StaticResponseFilter
                class Health extends StaticResponseFilter {
                    Object uri() { '/health' }
                    String responseBody() { 'up' }
                }
                """, filter("Static", "pre", 1, "com.netflix.zuul.FilterProcessor.instance.runFilters('static')"))) {
            assertThat(gateway.get("/health").body()).isEqualTo("up");
            assertThat(gateway.get("/other").body()).isEqualTo("from the origin");
        }
    }

    @Test
    void redirectHasAbsoluteLocation() throws Exception {
        try (ZuulGateway gateway =
                gateway(filter("Moves", "pre", 1, "ctx.sendZuulResponse = false; ctx.response.sendRedirect('/new')"))) {
            RawMessage response = gateway.get("/old");

            assertThat(response.status()).isEqualTo(302);
            assertThat(response.value("location")).contains("http://shop.example:8080/new");
        }
    }

    @Test
    void propertiesAreReadAndDisableFilters() throws Exception {
        java.nio.file.Path file = java.nio.file.Files.createTempFile("zuul", ".properties");
        java.nio.file.Files.writeString(file, "zuul.Off.pre.disable=true\nlimit=7\n");
        try (ZuulGateway gateway = gateway(
                Map.of("properties", file.toString()),
                filter("Off", "pre", 1, "ctx.addZuulRequestHeader('x-off', 'ran')"),
                filter("On", "pre", 2, """
                        def factory = com.netflix.config.DynamicPropertyFactory.instance
                        ctx.addZuulRequestHeader('x-limit', "${factory.getIntProperty('limit', 3).get()} ${factory.getIntProperty('none', 3).get()}")"""))) {
            gateway.get("/");

            assertThat(seen.get(0).value("x-limit")).contains("7 3");
            assertThat(seen.get(0).value("x-off")).isEmpty();
        } finally {
            java.nio.file.Files.delete(file);
        }
    }

    @Test
    void surgicalDebugFilterSendsMatchingRequestsToAnotherUpstream() throws Exception {
        java.nio.file.Path file = java.nio.file.Files.createTempFile("zuul", ".properties");
        java.nio.file.Files.writeString(file, "zuul.debug.vip=users-vip\n");
        try (ZuulGateway gateway =
                gateway(Map.of("properties", file.toString(), "vips", Map.of("users-vip", "users")), """
                        class Divert extends com.netflix.zuul.filters.SurgicalDebugFilter {
                            boolean patternMatches() {
                                com.netflix.zuul.context.RequestContext.currentContext.request.requestURI == '/debug'
                            }
                        }
                        """)) {
            assertThat(gateway.get("/other").body()).isEqualTo("from the origin");
            assertThat(gateway.get("/debug?a=1").body()).isEqualTo("users");
            assertThat(seen.get(1).target()).isEqualTo("/debug?a=1&debugRequest=true");
            assertThat(seen.get(1).value("x-zuul-surgical-filter")).contains("true");
            assertThat(gateway.get("/debug", "X-Zuul-Surgical-Filter: true").body())
                    .isEqualTo("from the origin");
        } finally {
            java.nio.file.Files.delete(file);
        }
    }

    @Test
    void contextEndsWithItsExchange() throws Exception {
        try (ZuulGateway gateway = gateway(filter(
                "Counts",
                "pre",
                1,
                "ctx.set('n', (ctx.get('n') ?: 0) + 1); ctx.addZuulRequestHeader('x-n', ctx.get('n').toString())"))) {
            for (int i = 0; i < 5; i++) {
                gateway.get("/");
            }

            assertThat(seen)
                    .allSatisfy(request -> assertThat(request.value("x-n")).contains("1"));
        }
    }
}
