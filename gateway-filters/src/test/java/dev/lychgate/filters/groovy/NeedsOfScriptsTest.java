package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filter.Filter;
import dev.lychgate.filters.testing.SentRequest;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import dev.lychgate.testing.RawMessage;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts that need the original request, or the body of some exchanges only. */
@Tag("slow")
class NeedsOfScriptsTest {
    private static TestResult run(TestExchange exchange, String... files) throws Exception {
        try (BuiltFilters built = Sources.build(files)) {
            return exchange.through(
                    built.filters().stream().map(GroovyFilter::filter).toArray(Filter[]::new));
        }
    }

    private static SentRequest sent(TestResult result) {
        return Objects.requireNonNull(result.getSent());
    }

    private static String reason(TestResult result) {
        return String.valueOf(result.getFailures().get(0));
    }

    // ---- cookies

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "removeCookie('gone')|a=1; a=2; flag; q=\"x\"",
                "removeCookie('none')|a=1; a=2; flag; gone=x; q=\"x\"",
                "removeCookie('a')|flag; gone=x; q=\"x\"",
                "setCookie('gone', 'y')|a=1; a=2; flag; gone=y; q=\"x\"",
                "setCookie('a', '3')|a=3; flag; gone=x; q=\"x\"",
                "setCookie('b', '3')|a=1; a=2; flag; gone=x; q=\"x\"; b=3"
            })
    void aChangedCookieLeavesTheOthersByteForByte(String change, String cookies) throws Exception {
        TestExchange exchange = TestExchange.get("/").header("cookie", "a=1; a=2; flag; gone=x; q=\"x\"");
        try (TestResult result = run(exchange, "inbound/a.groovy", "filter { it.request." + change + " }")) {
            assertThat(sent(result).header("cookie")).isEqualTo(cookies);
        }
    }

    // ---- errors

    @Test
    void anErrorFilterReadsTheStatusOfTheResponse() throws Exception {
        String filter =
                "filter { it.respond(it.error.status, it.error.kind().label() + ' ' + it.error.kind().status()) }";
        try (TestResult result = run(
                TestExchange.get("/"),
                "inbound/a.groovy",
                "filter { it.fail(dev.lychgate.error.ErrorKind.OVERLOADED, 'too much') }",
                "error/plain.groovy",
                filter)) {
            assertThat(result.getStatus()).isEqualTo(503);
            assertThat(result.getText()).isEqualTo("overloaded 503");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ErrorResponses", "GrpcStatus"})
    void theClassesThatMakeErrorResponsesAreNotPartOfTheApi(String type) throws Exception {
        assertThat(Sources.refused(
                        "error/a.groovy", "import dev.lychgate.error." + type + "\nfilter { " + type + ".toString() }"))
                .anySatisfy(fault -> assertThat(fault.toString())
                        .startsWith("error/a.groovy:1:8: ")
                        .contains("not part of the filter API"));
    }

    // ---- the original request

    @Test
    void theOriginalRequestKeepsWhatFiltersHaveChanged() throws Exception {
        TestExchange exchange = TestExchange.post("/a?x=1&y=2")
                .header("x-client", "one")
                .header("x-gone", "yes")
                .cookie("c", "1");
        try (TestResult result = run(exchange, "inbound/a.groovy", """
                        order(-1)
                        filter {
                            def request = it.request
                            request.method = 'PUT'
                            request.path = '/b'
                            request.removeQueryParameter('x')
                            request.host = 'other.example'
                            request.headers['x-client'] = 'two'
                            request.headers.remove('x-gone')
                            request.headers['x-new'] = 'new'
                            request.setCookie('c', '2')
                        }""", "outbound/b.groovy", """
                        originalRequest()
                        filter {
                            def was = it.originalRequest
                            it.response.headers['x-was'] = [was.method, was.path, was.rawPath, was.query,
                                    was.queryParameter('x'), was.host, was.headers['x-client'], was.headers['x-gone'],
                                    was.headers['x-new'], was.cookie('c'), was.protocol, was.scheme].join(' ')
                            it.response.headers['x-is'] = [it.request.method, it.request.path, it.request.query].join(' ')
                        }""")) {
            assertThat(result.header("x-was"))
                    .isEqualTo("POST /a /a x=1&y=2 1 gateway.example one yes null 1 HTTP/1.1 http");
            assertThat(result.header("x-is")).isEqualTo("PUT /b y=2");
            assertThat(sent(result).header("x-client")).isEqualTo("two");
        }
    }

    @Test
    void theOriginalRequestLacksTheFieldsThatTheGatewayAddsForTheOrigin() throws Exception {
        try (BuiltFilters built = Sources.build("outbound/a.groovy", """
                        originalRequest()
                        filter {
                            def names = it.originalRequest.headers.names
                            it.response.headers['x-was'] = names.join(' ')
                        }""");
                GatewayWithFilters gateway = new GatewayWithFilters(built)) {
            RawMessage response = gateway.exchange("GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n\r\n");
            assertThat(response.value("x-was")).contains("Host X-A");
        }
    }

    @Test
    void anErrorFilterReadsTheOriginalRequest() throws Exception {
        try (TestResult result = run(TestExchange.get("/a"), "inbound/a.groovy", """
                        import dev.lychgate.error.ErrorKind
                        filter { it.request.path = '/b'; it.fail(ErrorKind.NO_ENDPOINT, 'none') }""", "error/b.groovy", """
                        originalRequest()
                        filter { it.respond(503, it.originalRequest.path) }""")) {
            assertThat(result.getText()).isEqualTo("/a");
        }
    }

    @Test
    void theOriginalRequestCannotBeChanged() throws Exception {
        for (String change : new String[] {
            "path = '/b'",
            "headers.remove('x')",
            "headers['x'] = 'y'",
            "method = 'PUT'",
            "text = 'b'",
            "setCookie('a', 'b')"
        }) {
            try (TestResult result = run(
                    TestExchange.get("/a"),
                    "inbound/a.groovy",
                    "originalRequest()\nfilter { it.originalRequest." + change + " }")) {
                assertThat(result.getStatus()).as(change).isEqualTo(500);
                assertThat(reason(result)).as(change).contains("the original request has no body and can't be changed");
            }
        }
    }

    @Test
    void aFilterThatHasNotDeclaredItReadsNoOriginalRequest() throws Exception {
        try (TestResult result = run(
                TestExchange.get("/a"),
                "inbound/a.groovy",
                "filter { it.request.headers['x'] = it.originalRequest.path }",
                "outbound/b.groovy",
                "originalRequest()\nfilter { }")) {
            assertThat(result.getStatus()).isEqualTo(500);
            assertThat(reason(result)).contains("add originalRequest() to the filter's declaration");
        }
    }

    // ---- bodies of some exchanges

    private static final String SOME = """
            body(4) { it.request.headers['x-read'] }
            filter { if (it.request.headers['x-read']) it.request.text = it.request.text.reverse() }""";

    @Test
    void aBodyThatTheConditionNeedsIsWhole() throws Exception {
        TestExchange exchange = TestExchange.post("/").header("x-read", "1").pieces("ab", "cd");
        try (TestResult result = run(exchange, "inbound/a.groovy", SOME)) {
            assertThat(sent(result).getText()).isEqualTo("dcba");
        }
    }

    @Test
    void aNeededBodyBeyondTheLimitIsRejected() throws Exception {
        TestExchange exchange = TestExchange.post("/").header("x-read", "1").pieces("ab", "cde");
        try (TestResult result = run(exchange, "inbound/a.groovy", SOME)) {
            assertThat(result.getStatus()).isEqualTo(413);
        }
    }

    @Test
    void aBodyOfAnyLengthStreamsIfTheConditionIsFalse() throws Exception {
        TestExchange exchange = TestExchange.post("/").pieces("ab", "cde");
        try (TestResult result = run(exchange, "inbound/a.groovy", SOME)) {
            assertThat(result.getStatus()).isEqualTo(200);
            assertThat(sent(result).getText()).isEqualTo("abcde");
        }
    }

    @Test
    void aBodyThatTheConditionDoesNotNeedCannotBeRead() throws Exception {
        TestExchange exchange = TestExchange.post("/").body("ab");
        try (TestResult result = run(exchange, "inbound/a.groovy", "body(4) { false }\nfilter { it.request.text }")) {
            assertThat(result.getStatus()).isEqualTo(500);
            assertThat(reason(result)).contains("the condition for the body was false");
        }
    }

    @Test
    void aConditionThatThrowsIsAFailureOfTheFilter() throws Exception {
        String script = "body(4) { throw new IllegalStateException() }\nfilter { }";
        try (TestResult result = run(TestExchange.post("/").body("ab"), "inbound/a.groovy", script)) {
            assertThat(result.getStatus()).isEqualTo(500);
            assertThat(reason(result)).contains("the filter could not run");
        }
    }

    @Test
    void bodiesOfResponsesAreNeededByConditionToo() throws Exception {
        String script = """
                body(3) { it.response.status == 500 }
                blocking { if (it.response.status == 500) it.response.text = it.response.text.toUpperCase() }""";
        for (int status : new int[] {200, 500}) {
            TestExchange exchange = TestExchange.get("/")
                    .origin(request -> dev.lychgate.filters.testing.OriginResponse.of(status)
                            .pieces("ab", status == 500 ? "c" : "cdefg"));
            try (TestResult result = run(exchange, "outbound/a.groovy", script)) {
                assertThat(result.getText()).isEqualTo(status == 500 ? "ABC" : "abcdefg");
                assertThat(result.getFailures()).isEmpty();
            }
        }
    }
}
