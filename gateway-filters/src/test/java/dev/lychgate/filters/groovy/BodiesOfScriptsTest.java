package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.testing.OriginResponse;
import dev.lychgate.filters.testing.SentRequest;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts that read and change bodies by items or as a whole, and the filters that docs/filter-bodies.md shows. */
@Tag("slow")
class BodiesOfScriptsTest {
    private static final Path PAGE = Path.of("../docs/filter-bodies.md");
    private static final Pattern SNIPPET = Pattern.compile("```groovy\\n// (\\S+)\\n(.*?)```", Pattern.DOTALL);
    private static final Map<String, String> EVENTS = Map.of("content-type", "text/event-stream");

    private static TestResult run(String path, String script, TestExchange exchange) throws Exception {
        try (BuiltFilters built = Sources.build(path, script)) {
            Filter filter = built.filters().get(0).filter();
            return exchange.through(filter);
        }
    }

    private static TestResult outbound(String script, OriginResponse response) throws Exception {
        return run("outbound/a.groovy", script, TestExchange.get("/").origin(request -> response));
    }

    private static TestResult inbound(String script, TestExchange exchange) throws Exception {
        return run("inbound/a.groovy", script, exchange);
    }

    private static SentRequest sent(TestResult result) {
        return Objects.requireNonNull(result.getSent());
    }

    private static GatewayError error(TestResult result) {
        return Objects.requireNonNull(result.getError());
    }

    private static String reason(TestResult result) {
        return String.valueOf(result.getFailures().get(0));
    }

    // ---- media types

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "null",
            value = {
                "Text/HTML                          | text/html",
                "text/html;charset=utf-8            | text/html",
                "application/Vnd.a+json ; x=\"a;b\"  | application/vnd.a+json",
                "text/html,text/plain               | null",
                "text                               | null",
                "text/                              | null",
                ";a=b                               | null",
                "''                                 | null"
            })
    void theMediaTypeIsInLowerCaseAndWithoutParameters(String field, String type) throws Exception {
        try (TestResult result = inbound(
                "filter { it.respond(200, String.valueOf(it.request.mediaType)) }",
                TestExchange.post("/").header("content-type", field))) {
            assertThat(result.getText()).isEqualTo(String.valueOf(type));
        }
    }

    @Test
    void differentContentTypesAreNoMediaType() throws Exception {
        String script = """
                filter {
                    def media = [it.response.mediaType]
                    it.response.headers.remove('content-type')
                    media << it.response.mediaType
                    it.response.headers['x-media'] = media.join(' ')
                }""";
        for (String second : List.of("TEXT/html; a=b", "text/plain")) {
            OriginResponse response =
                    OriginResponse.of(200).header("content-type", "text/html").header("content-type", second);
            try (TestResult result = outbound(script, response)) {
                assertThat(result.header("x-media"))
                        .isEqualTo(second.endsWith("plain") ? "null null" : "text/html null");
            }
        }
    }

    // ---- items

    @Test
    void aResponseIsReadEventByEvent() throws Exception {
        OriginResponse response =
                OriginResponse.of(200).headers(EVENTS).pieces("da", "ta: 1\n", "\ndata: 2\n\ndata: 3", "\n\n");
        try (TestResult result = outbound("""
                filter {
                    it.response.eachEvent { event ->
                        if (event.data == '2') { event.drop() } else { event.data = event.data + '0' }
                    }
                }""", response)) {
            assertThat(result.getText()).isEqualTo("data: 10\n\ndata: 30\n\n");
            assertThat(result.header("content-length")).isNull();
        }
    }

    @Test
    void aRequestIsReadLineByLine() throws Exception {
        try (TestResult result = inbound(
                "filter { it.request.eachLine(10) { line -> line.text = line.text.reverse() } }",
                TestExchange.post("/").pieces("a", "b\nc", "d"))) {
            assertThat(sent(result).getText()).isEqualTo("ba\ndc");
        }
    }

    @Test
    void theElementsOfAJsonArrayAreChanged() throws Exception {
        OriginResponse response = OriginResponse.of(200)
                .header("content-type", "application/json")
                .header("etag", "\"1\"")
                .body("[{\"id\":1,\"pin\":1}, {\"id\": 2}]");
        try (TestResult result = outbound("""
                filter { it.response.eachJson { item -> (item.value as Map).remove('pin') } }""", response)) {
            assertThat(result.getText()).isEqualTo("[{\"id\":1}, {\"id\": 2}]");
            assertThat(result.header("etag")).isEqualTo("W/\"1\"");
        }
    }

    @Test
    void anItemOfARequestBeyondTheLimitIsRejected() throws Exception {
        try (TestResult result = inbound(
                "filter { it.request.eachLine(10) { } }", TestExchange.post("/").pieces("a\n", "0123456789", "\n"))) {
            assertThat(result.getStatus()).isEqualTo(413);
            assertThat(error(result).detail()).isEqualTo("the request body has a line of more than 10 bytes");
        }
    }

    @Test
    void anItemOfAResponseBeyondTheLimitAbortsTheExchangeAndIsAFailureOfTheFilter() throws Exception {
        OriginResponse response = OriginResponse.of(200).headers(EVENTS).pieces("data: 1\n\n", "data: 23", "4\n\n");
        try (TestResult result = outbound("filter { it.response.eachEvent(10) { } }", response)) {
            assertThat(result.isAborted()).isTrue();
            assertThat(result.getText()).isEqualTo("data: 1\n\n");
            assertThat(error(result).cause()).hasMessage("the response body has an event of more than 10 bytes");
            assertThat(result.getFailures()).hasSize(1);
        }
    }

    @Test
    void malformedJsonInARequestIsRejected() throws Exception {
        try (TestResult result = inbound(
                "filter { it.request.eachJson { } }",
                TestExchange.post("/")
                        .header("content-type", "application/x-ndjson")
                        .pieces("{}\n{]\n"))) {
            assertThat(result.getStatus()).isEqualTo(400);
            assertThat(error(result).kind()).isEqualTo(ErrorKind.MALFORMED_REQUEST);
            assertThat(error(result).detail()).contains("malformed JSON at character 2 of 2, in value 2");
            assertThat(result.getFailures()).isEmpty();
        }
    }

    @Test
    void anExceptionOfAnActionAbortsTheResponse() throws Exception {
        OriginResponse response = OriginResponse.of(200).headers(EVENTS).pieces("data: 1\n\n", "data: 2\n\n");
        try (TestResult result = outbound("""
                filter {
                    it.response.eachEvent { event -> if (event.data == '2') throw new IllegalStateException('no 2') }
                }""", response)) {
            assertThat(result.isAborted()).isTrue();
            assertThat(result.getText()).isEqualTo("data: 1\n\n");
            assertThat(error(result).cause()).hasMessage("no 2");
            assertThat(result.getFailures()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "content-encoding, gzip, the response body has a content-encoding",
        "content-type, text/plain; charset=iso-8859-1, the response body has a charset",
        "content-type, 'text/plain; x=\";charset=utf-8\"; charset=utf-16', the response body has a charset",
        "content-type, text/plain; charset=utf-8; charset=utf-16, the response body has a content-type with malformed",
        "content-type, 'text/plain; charset=\"utf-16', the response body has a content-type with malformed parameters",
        "content-encoding, 'identity, gzip', the response body has a content-encoding",
        "content-range, bytes 0-1/9, the response body is partial"
    })
    void aResponseThatCannotBeReadIsAFailureOfTheFilter(String field, String value, String why) throws Exception {
        OriginResponse response = OriginResponse.of(200).header(field, value).body("x");
        try (TestResult result = outbound("failClosed(); filter { it.response.eachLine { it.drop() } }", response)) {
            assertThat(result.getStatus()).isEqualTo(500);
            assertThat(reason(result)).contains(why);
        }
        try (TestResult result = outbound("filter { it.response.eachLine { it.drop() } }", response)) {
            assertThat(result.getText()).isEqualTo("x");
        }
    }

    @Test
    void aPartialResponseIsAFailureOfTheFilter() throws Exception {
        try (TestResult result = outbound(
                "filter { it.response.eachLine { it.drop() } }",
                OriginResponse.of(206).body("x"))) {
            assertThat(result.getText()).isEqualTo("x");
            assertThat(reason(result)).contains("is partial (206)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "failOpen(); filter"})
    void aRequestThatCannotBeReadIsRejectedWhateverThePolicy(String filter) throws Exception {
        try (TestResult result = inbound(
                filter + " { it.request.eachLine { it.drop() } }",
                TestExchange.post("/").header("content-encoding", "gzip").body("x"))) {
            assertThat(result.getStatus()).isEqualTo(400);
            assertThat(error(result).detail()).contains("list decompress before the filter");
            assertThat(result.getSent()).isNull();
            assertThat(result.getFailures()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"content-encoding, identity, gzip", "content-type, text/plain, text/plain;charset=utf-16"})
    void aSecondFieldDoesNotHideHowARequestIsCoded(String field, String first, String second) throws Exception {
        try (TestResult result = inbound(
                "filter { it.request.eachLine { it.drop() } }",
                TestExchange.post("/")
                        .header(field, first)
                        .header(field, second)
                        .body("x"))) {
            assertThat(result.getStatus()).isEqualTo(400);
            assertThat(result.getSent()).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"HEAD, 200", "GET, 204", "GET, 304"})
    void aResponseWithoutABodyIsNotRead(String method, int status) throws Exception {
        String script = "filter { it.response.eachLine { line -> throw new IOException() } }";
        TestExchange exchange = TestExchange.of(method, "/")
                .origin(request -> OriginResponse.of(status)
                        .header("content-encoding", "gzip")
                        .body(status == 200 ? "x" : ""));
        try (TestResult result = run("outbound/a.groovy", script, exchange)) {
            assertThat(result.getStatus()).isEqualTo(status);
            assertThat(result.getText()).isEmpty();
            assertThat(result.getFailures()).isEmpty();
        }
    }

    @Test
    void anEmptyBodyHasNoItems() throws Exception {
        String script = "filter { it.response.eachJson { item -> throw new IOException() } }";
        OriginResponse response = OriginResponse.of(200)
                .header("content-type", "application/json")
                .pieces();
        try (TestResult result = outbound(script, response)) {
            assertThat(result.getText()).isEmpty();
            assertThat(result.isAborted()).isFalse();
        }
    }

    @Test
    void anOutcomeWithinAnActionIsRefused() throws Exception {
        List<FilterFault> faults = Sources.refused(
                "outbound/a.groovy", "filter { ex -> ex.response.eachLine { line -> ex.respond(403) } }");
        assertThat(faults).singleElement().asString().contains("outcome");
    }

    // ---- whole bodies

    @Test
    void aRequestIsReadAndReplacedAsJson() throws Exception {
        try (TestResult result = inbound(
                """
                body 1000
                filter {
                    def order = it.request.json as Map
                    order.total = (order.total as BigDecimal) * 2
                    order.remove('pin')
                    it.request.json = order
                }""",
                TestExchange.post("/")
                        .header("content-type", "application/json")
                        .body("\uFEFF{\"total\": 1.5, \"pin\": 1}"))) {
            assertThat(sent(result).getText()).isEqualTo("{\"total\":3.0}");
            assertThat(sent(result).header("content-type")).isEqualTo("application/json");
        }
    }

    @Test
    void aResponseIsReplacedByJson() throws Exception {
        OriginResponse response =
                OriginResponse.of(200).header("content-type", "text/plain").body("[1]");
        try (TestResult result = outbound(
                "body 1000; filter { it.response.json = [was: it.response.json, by: \"${it.request.method}\"] }",
                response)) {
            assertThat(result.getText()).isEqualTo("{\"was\":[1],\"by\":\"GET\"}");
            assertThat(result.header("content-type")).isEqualTo("application/json");
        }
        OriginResponse problem = OriginResponse.of(500)
                .header("content-type", "application/problem+json")
                .body("{}");
        try (TestResult result = outbound("filter { it.response.json = [:] }", problem)) {
            assertThat(result.header("content-type")).isEqualTo("application/problem+json");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":} | malformed JSON at character 6 of 6",
                "{\"a\":1,\"a\":2} | malformed JSON",
                "'' | malformed JSON: the text ends too early, after character 0"
            })
    void aRequestThatIsNotJsonIsRejected(String body, String detail) throws Exception {
        try (TestResult result = inbound(
                "body 1000; failOpen(); filter { it.request.json }",
                TestExchange.post("/").body(body))) {
            assertThat(result.getStatus()).isEqualTo(400);
            assertThat(error(result).detail()).contains(detail);
            assertThat(result.getText()).contains(detail);
            assertThat(result.getSent()).isNull();
        }
    }

    @Test
    void aResponseThatIsNotJsonIsAFailureOfTheFilter() throws Exception {
        try (TestResult result = outbound(
                "body 1000; filter { it.response.json }", OriginResponse.of(200).body("{"))) {
            assertThat(result.getStatus()).isEqualTo(200);
            assertThat(reason(result))
                    .contains("the response body has malformed JSON: the text ends too early, after character 1");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void aResponseWithoutBodyHasNoJson(int status) throws Exception {
        try (TestResult result = outbound(
                "failClosed(); body 1000; filter { it.response.headers['x-json'] = \"${it.response.json}\" }",
                OriginResponse.of(status).header("content-encoding", "gzip"))) {
            assertThat(result.getStatus()).isEqualTo(status);
            assertThat(result.header("x-json")).isEqualTo("null");
        }
    }

    @Test
    void aWholeBodyHasToBeDeclared() throws Exception {
        try (TestResult result =
                inbound("filter { it.request.json }", TestExchange.post("/").body("{}"))) {
            assertThat(result.getStatus()).isEqualTo(500);
            assertThat(reason(result)).contains("filter a does not declare that it needs a body; add body 65536");
        }
    }

    private static TestExchange form(String body) {
        return TestExchange.post("/")
                .header("content-type", "application/x-www-form-urlencoded; charset=UTF-8")
                .body(body);
    }

    @Test
    void aFormIsReadAndReplaced() throws Exception {
        try (TestResult result =
                inbound("""
                body 1000
                filter {
                    def form = it.request.form
                    it.request.headers['x-form'] = form.toString().getBytes('UTF-8').encodeHex().toString()
                    form.remove('pin')
                    form.note = ['a b', '&=+']
                    Map<String, Object> changed = new LinkedHashMap<>(form)
                    changed.n = 7
                    it.request.form = changed
                }""", form("name=J%C3%BCrgen+S&a=1&a=%2B2&empty=&flag&&pin=1&raw=\u00e4&bad=%zz"))) {
            String seen = new String(
                    HexFormat.of().parseHex(Objects.requireNonNull(sent(result).header("x-form"))),
                    StandardCharsets.UTF_8);
            assertThat(seen)
                    .isEqualTo(
                            "[name:[J\u00fcrgen S], a:[1, +2], empty:[], flag:[], pin:[1], raw:[\u00e4], bad:[%zz]]");
            assertThat(sent(result).getText())
                    .isEqualTo(
                            "name=J%C3%BCrgen%20S&a=1&a=%2B2&empty=&flag=&raw=%C3%A4&bad=%25zz&note=a%20b&note=%26%3D%2B&n=7");
        }
    }

    @Test
    void aFormOfManyFieldsAndABodyThatIsNoFormAreRejected() throws Exception {
        String script = "body 100_000; filter { it.request.form }";
        try (TestResult result = inbound(script, form("a=1&".repeat(999) + "a=1"))) {
            assertThat(result.getStatus()).isEqualTo(200);
        }
        try (TestResult result = inbound(script, form("a=1&".repeat(1000) + "a=1"))) {
            assertThat(result.getStatus()).isEqualTo(413);
        }
        try (TestResult result = inbound(script, TestExchange.post("/").body("a=1"))) {
            assertThat(result.getStatus()).isEqualTo(400);
        }
    }

    // ---- cookies

    private static List<String> cookiesAfter(String change) throws Exception {
        OriginResponse response = OriginResponse.of(200)
                .header(
                        "set-cookie",
                        "a=1; path=/x;Secure; Partitioned;  max-age=60; Expires=Wed, 21 Oct 2026 07:28:00 GMT")
                .header("set-cookie", "=nameless")
                .header("set-cookie", "b=\"2\"; HttpOnly; SameSite=lax; domain=example.com; path=/1; path=/2")
                .header("set-cookie", "a=3");
        try (TestResult result = outbound("filter { def response = it.response\n" + change + "\n}", response)) {
            assertThat(result.getFailures()).isEmpty();
            return result.getHeaders().getAll("set-cookie");
        }
    }

    @Test
    void theCookiesOfAResponseAreRead() throws Exception {
        assertThat(cookiesAfter("""
                def a = response.cookies[0], b = response.cookies[1], other = response.cookies[2]
                assert response.cookies*.name == ['a', 'b', 'a']
                assert [a.value, a.path, a.secure, a.httpOnly, a.sameSite] == ['1', '/x', true, false, null]
                assert a.maxAge == java.time.Duration.ofMinutes(1)
                assert a.expires == java.time.Instant.parse('2026-10-21T07:28:00Z')
                assert a.attribute('partitioned') == ''
                assert [b.value, b.path, b.secure, b.httpOnly, b.sameSite, b.domain] ==
                        ['"2"', '/2', false, true, 'lax', 'example.com']
                assert [other.value, other.maxAge, other.expires, other.attribute('a')] == ['3', null, null, null]
                assert response.cookie('a').value == '1'
                assert response.cookie('c') == null""")).hasSize(4);
    }

    @Test
    void theCookiesOfAResponseAreChanged() throws Exception {
        assertThat(cookiesAfter("""
                response.cookies.each { it.secure = true; it.path = '/' }
                response.cookie('b').with { value = '5'; httpOnly = false; sameSite = 'Strict'; domain = null }
                def c = response.addCookie('c', 'x')
                c.maxAge = java.time.Duration.ofHours(1)
                c.expires = java.time.Instant.EPOCH"""))
                .containsExactly(
                        "a=1;Secure; Partitioned;  max-age=60; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/",
                        "=nameless",
                        "b=5; Secure; Path=/; SameSite=Strict",
                        "a=3; Secure; Path=/",
                        "c=x; Max-Age=3600; Expires=Thu, 01 Jan 1970 00:00:00 GMT");
        assertThat(cookiesAfter("response.removeCookie('a')")).hasSize(2);
        assertThat(cookiesAfter("response.removeCookie('none')")).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "response.cookie('a').value = 'a;b'",
                "response.cookie('a').path = '/;x'",
                "response.cookie('a').path = '/\u20ac'",
                "response.cookie('a').path = '/\\u0001'",
                "response.cookie('a').setAttribute('a b', '')",
                "response.addCookie('a b', '1')",
                "def a = response.cookie('a'); response.removeCookie('a'); a.secure = false"
            })
    void aCookieThatCannotBeSentIsRefused(String change) throws Exception {
        OriginResponse response = OriginResponse.of(200).header("set-cookie", "a=1; Secure");
        try (TestResult result = outbound("filter { def response = it.response\n" + change + "\n}", response)) {
            assertThat(result.getFailures()).hasSize(1);
            boolean removed = change.contains("removeCookie");
            assertThat(result.getHeaders().getAll("set-cookie"))
                    .isEqualTo(removed ? List.of() : List.of("a=1; Secure"));
        }
    }

    // ---- the page

    private static TestResult documented(String path, TestExchange exchange) throws Exception {
        List<FilterSource> files = new ArrayList<>();
        Matcher snippets = SNIPPET.matcher(Files.readString(PAGE));
        while (snippets.find()) {
            if (snippets.group(1).equals(path)) {
                files.add(new FilterSource(snippets.group(1), snippets.group(2)));
            }
        }
        assertThat(files).as(path).hasSize(1);
        try (BuiltFilters built = new GroovyFilters().build(FilterSources.of(files))) {
            return exchange.through(built.filters().get(0).filter());
        }
    }

    @Test
    void theDocumentedFilterOfEventsMasksTheirData() throws Exception {
        TestExchange exchange = TestExchange.get("/")
                .origin(request -> OriginResponse.of(200)
                        .headers(EVENTS)
                        .pieces(": hi\n\ndata: a secr", "et\n\nevent: debug\ndata: x\n\n", "event: done\ndata: 1\n\n"));
        try (TestResult result = documented("outbound/events.groovy", exchange)) {
            assertThat(result.getText())
                    .isEqualTo(": hi\n\ndata: a ***\n\nevent: done\ndata: 1\n\nevent: end\ndata: bye\n\n");
        }
    }

    @Test
    void theDocumentedFilterOfJsonChangesUploads() throws Exception {
        TestExchange exchange = TestExchange.post("/import/1")
                .header("content-type", "application/x-ndjson")
                .pieces("{\"id\":1,\"internal\":2}\n{\"i", "d\":2}\n{\"test\":true}\n");
        try (TestResult result = documented("inbound/upload.groovy", exchange)) {
            assertThat(sent(result).getText()).isEqualTo("{\"id\":1}\n{\"id\":2}\n");
        }
    }

    @Test
    void theDocumentedFilterOfLinesCountsThem() throws Exception {
        TestExchange exchange = TestExchange.get("/list.csv").origin(200, "a\nb\n");
        try (TestResult result = documented("outbound/count.groovy", exchange)) {
            assertThat(result.getText()).isEqualTo("a\nb\n");
            assertThat(result.isDone()).isTrue();
            assertThat(result.getFailures()).isEmpty();
        }
    }

    @Test
    void theDocumentedFilterOfAStreamMasksDigits() throws Exception {
        TestExchange exchange = TestExchange.post("/notes").pieces("pin 1", "234");
        try (TestResult result = documented("inbound/masked.groovy", exchange)) {
            assertThat(sent(result).getText()).isEqualTo("pin ####");
        }
    }

    @Test
    void theDocumentedFiltersOfWholeBodiesChangeThem() throws Exception {
        TestExchange order = TestExchange.post("/orders")
                .header("content-type", "application/json")
                .body("{\"items\":[1,2]}");
        try (TestResult result = documented("inbound/order.groovy", order)) {
            assertThat(sent(result).getText()).isEqualTo("{\"items\":[1,2],\"count\":2}");
        }
        try (TestResult result = documented("inbound/login.groovy", form("user=Ada&password=x"))) {
            assertThat(sent(result).getText()).isEqualTo("user=ada&password=x");
        }
        String parts = """
                --x
                Content-Disposition: form-data; name="title"

                %s
                --x
                Content-Disposition: form-data; name="f"; filename="%s"

                content
                --x--""".replace("\n", "\r\n");
        TestExchange upload = TestExchange.post("/")
                .header("content-type", "multipart/form-data; boundary=x")
                .pieces(parts.formatted(" a ", "../b.txt").split("(?<=-)", 0));
        try (TestResult result = documented("inbound/attachments.groovy", upload)) {
            assertThat(sent(result).getText()).isEqualTo(parts.formatted("a", "b.txt"));
        }
        TestExchange program = TestExchange.post("/")
                .header("content-type", "multipart/form-data; boundary=x")
                .body(parts.formatted("a", "..\\b.exe"));
        try (TestResult result = documented("inbound/attachments.groovy", program)) {
            assertThat(sent(result).getText())
                    .isEqualTo("--x\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\na\r\n--x--");
        }
        for (String name : List.of("../x.EXE", "x.exe.", "x.exe ", "/x.Exe.. ")) {
            TestExchange disguised = TestExchange.post("/")
                    .header("content-type", "Multipart/Form-Data ; boundary=x")
                    .body(parts.formatted("a", name));
            try (TestResult result = documented("inbound/attachments.groovy", disguised)) {
                assertThat(sent(result).getText()).as(name).doesNotContain("filename");
            }
        }
        TestExchange unnamed = TestExchange.post("/")
                .header("content-type", "multipart/form-data; boundary=x")
                .body(parts.formatted("a", "/"));
        try (TestResult result = documented("inbound/attachments.groovy", unnamed)) {
            assertThat(sent(result).getText()).isEqualTo(parts.formatted("a", "unnamed"));
        }
        TestExchange smuggled = TestExchange.post("/")
                .header("content-type", "multipart/form-data; boundary=x")
                .body(parts.formatted("a\n--x", "b"));
        try (TestResult result = documented("inbound/attachments.groovy", smuggled)) {
            assertThat(result.getStatus()).isEqualTo(400);
            assertThat(result.getFailures()).isEmpty();
        }
        TestExchange wrong = TestExchange.post("/").header("x-sha256", "00").body("b");
        try (TestResult result = documented("inbound/checked.groovy", wrong)) {
            assertThat(result.getStatus()).isEqualTo(422);
        }
        TestExchange unchecked = TestExchange.post("/").body("b".repeat(5000));
        try (TestResult result = documented("inbound/checked.groovy", unchecked)) {
            assertThat(sent(result).header("x-checked")).isEqualTo("no");
        }
        TestExchange cookies = TestExchange.get("/")
                .origin(request -> OriginResponse.of(200)
                        .header("set-cookie", "s=1; Path=/")
                        .header("set-cookie", "debug=1"));
        try (TestResult result = documented("outbound/cookies.groovy", cookies)) {
            assertThat(result.getHeaders().getAll("set-cookie"))
                    .containsExactly("s=1; Path=/; Secure; HttpOnly; SameSite=Lax", "visited=yes; Max-Age=86400");
        }
    }

    @Test
    void theDocumentedFilterOfTrailersReplacesTheMessage() throws Exception {
        TestExchange call = TestExchange.get("/")
                .origin(request -> OriginResponse.of(200)
                        .header("content-type", "application/grpc")
                        .header("grpc-status", "13")
                        .header("grpc-message", "secret"));
        try (TestResult result = documented("outbound/status.groovy", call)) {
            assertThat(result.header("grpc-message")).isEqualTo("internal error");
            assertThat(result.header("x-gateway")).isEqualTo("lychgate");
        }
    }

    @Test
    void theDocumentedStreamChangesTheBodyAndEndsIt() throws Exception {
        TestExchange report = TestExchange.get("/report")
                .origin(request -> OriginResponse.of(200).pieces("ab", "cd"));
        try (TestResult result = documented("outbound/stream.groovy", report)) {
            assertThat(result.getText()).isEqualTo("ABCDEND");
        }
    }
}
