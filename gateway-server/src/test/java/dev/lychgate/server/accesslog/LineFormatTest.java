package dev.lychgate.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.MarkdownTable;
import dev.lychgate.cache.CacheOutcome;
import dev.lychgate.config.LoggedHeaders;
import dev.lychgate.config.RedactConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.http.HttpVersion;
import dev.lychgate.http.Redaction;
import dev.lychgate.server.accesslog.AccessRecord.Request;
import dev.lychgate.tls.ClientCertificate;
import dev.lychgate.tls.TlsSession;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LineFormatTest {
    private static final GatewayError REFUSED =
            GatewayError.upstream(ErrorKind.CONNECT_REFUSED, Retry.UNPROCESSED, "the origin refused the connection");
    private static final GatewayError MALFORMED =
            GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "the request line is broken");

    @Test
    void writesEveryFieldOfARequestAsJson() {
        assertThat(json(Records.of(Records.get("/a/b", "x=1&y=2"), 200, null)))
                .isEqualTo("{\"time\":\"2026-11-03T04:05:06.789Z\",\"id\":\"id-1\",\"listener\":\"main\","
                        + "\"client\":\"10.0.0.9\",\"method\":\"GET\",\"host\":\"example.com\",\"path\":\"/a/b\","
                        + "\"query\":\"x=1&y=2\",\"protocol\":\"HTTP/1.1\",\"status\":200,\"request_bytes\":5,"
                        + "\"response_bytes\":1234,\"route\":\"api\",\"upstream\":\"origins\","
                        + "\"endpoint\":\"127.0.0.1:9000\",\"attempts\":1,\"total_ms\":12.346,"
                        + "\"pool_wait_ms\":2.000,\"connect_ms\":2.000,\"first_byte_ms\":11.000,"
                        + "\"generation\":7,\"user_agent\":\"curl/8.5\",\"referer\":\"https://a.example/\"}");
    }

    @Test
    void omitsUnknownFieldsOfAMalformedRequestInJson() {
        assertThat(json(Records.malformed(MALFORMED)))
                .isEqualTo("{\"time\":\"2026-11-03T04:05:06.789Z\",\"id\":\"id-2\",\"listener\":\"main\","
                        + "\"client\":\"10.0.0.9\",\"status\":400,\"request_bytes\":0,\"response_bytes\":90,"
                        + "\"attempts\":0,\"total_ms\":0.099,\"error\":\"malformed-request\","
                        + "\"error_side\":\"downstream\",\"generation\":7}");
    }

    @Test
    void namesTheErrorAndItsSideInJson() {
        assertThat(json(Records.of(Records.get("/", null), 502, REFUSED)))
                .contains("\"path\":\"/\",\"protocol\"")
                .contains("\"error\":\"connect-refused\",\"error_side\":\"upstream\"");
    }

    @ParameterizedTest
    @EnumSource(CacheOutcome.class)
    void namesThePartOfTheCacheInJson(CacheOutcome outcome) throws Exception {
        assertThat(json(Records.cached(Records.of(Records.get("/", null), 200, null), outcome)))
                .contains("\"cache\":\"" + outcome.label() + "\"");
        assertThat(MarkdownTable.rows("access-log.md"))
                .filteredOn(row -> row.get(0).equals("cache"))
                .singleElement()
                .satisfies(row -> assertThat(row.get(1)).contains(outcome.label()));
    }

    @Test
    void documentsEveryFieldOfJsonInItsOrder() throws Exception {
        ClientCertificate client = new ClientCertificate(
                "CN=billing", "CN=ca", List.of(), "1", "00", Instant.EPOCH, "AA==", List.of(), false);
        TlsSession tls = new TlsSession("TLSv1.3", "TLS_AES_128_GCM_SHA256", "example.com", false, client);
        AccessRecord all =
                Records.hit(Records.of(Records.get("/", "q"), 502, REFUSED, "circuit-open", tls), "slow-db:delay");
        LoggedFields wanted = new LoggedFields(new LoggedHeaders(List.of("X-A"), List.of("X-B")), Redaction.USUAL);
        LoggedFields.Copied fields =
                wanted.copy(new DefaultHttpHeaders().set("x-a", "1"), new DefaultHttpHeaders().set("x-b", "2"));
        List<String> written = List.copyOf(LogInjectionTest.parse(json(Records.cached(
                        Records.sampled(Records.ended(Records.by(all, "alice"), TunnelEnd.IDLE), fields),
                        CacheOutcome.STALE)))
                .keySet());
        assertThat(MarkdownTable.names("access-log.md"))
                .containsExactlyElementsOf(written.stream()
                        .map(name -> name.replaceFirst("\\..*", ""))
                        .toList());
    }

    @Test
    void masksSecretsInEveryField() {
        Request request = new Request(
                "GET",
                "example.com",
                "/a",
                "b=1&access_token=hidden&c=2",
                HttpVersion.HTTP_1_1,
                "agent",
                "https://a.example/cb?code=hidden");
        AccessRecord record = Records.of(request, 200, null);
        assertThat(json(record))
                .contains("\"query\":\"b=1&access_token=***&c=2\"")
                .endsWith("\"referer\":\"https://a.example/cb?code=***\"}");
        assertThat(combined(record, ZoneOffset.UTC))
                .contains("\"GET /a?b=1&access_token=***&c=2 HTTP/1.1\"")
                .contains("\"https://a.example/cb?code=***\"");
    }

    @Test
    void masksFieldsWithADedicatedPlace() {
        Redaction all = new Redaction(new RedactConfig(List.of("user-agent", "Referer", "host"), List.of("q")));
        AccessRecord record = Records.of(Records.get("/", "q=hidden"), 200, null);
        LineBuffer line = new LineBuffer(1);
        new JsonLines(all).append(line, record);
        assertThat(line.toString())
                .contains("\"host\":\"***\"", "\"query\":\"q=***\"")
                .endsWith("\"user_agent\":\"***\",\"referer\":\"***\"}");
        line.truncate(0);
        new CombinedLines(ZoneOffset.UTC, all).append(line, record);
        assertThat(line.toString()).endsWith("\"GET /?q=*** HTTP/1.1\" 200 1234 \"***\" \"***\"");
    }

    @Test
    void aLineHasItsSamplingRate() {
        assertThat(json(Records.sampled(Records.of(Records.get("/", null), 200, null), null)))
                .endsWith(",\"sample\":0.1}");
    }

    @Test
    void writesCombinedAsNginxDoes() {
        assertThat(combined(Records.of(Records.get("/a/b", "x=1"), 200, null), ZoneId.of("America/New_York")))
                .isEqualTo("10.0.0.9 - - [02/Nov/2026:23:05:06 -0500] \"GET /a/b?x=1 HTTP/1.1\" 200 1234"
                        + " \"https://a.example/\" \"curl/8.5\"");
    }

    @Test
    void writesTheSubjectAsOneItem() {
        AccessRecord record = Records.of(Records.get("/", null), 200, null);
        assertThat(json(Records.by(record, "a\"b")))
                .contains("\"client\":\"10.0.0.9\",\"subject\":\"a\\u0022b\",\"method\"");
        assertThat(combined(Records.by(record, "alice"), ZoneOffset.UTC)).startsWith("10.0.0.9 - alice [03/Nov/2026");
        assertThat(combined(Records.by(record, "a b [x"), ZoneOffset.UTC))
                .startsWith("10.0.0.9 - a\\x20b\\x20[x [03/Nov");
    }

    @Test
    void writesDashesForUnknownValuesInCombined() {
        assertThat(combined(Records.malformed(MALFORMED), ZoneOffset.UTC))
                .isEqualTo("10.0.0.9 - - [03/Nov/2026:04:05:06 +0000] \"-\" 400 90 \"-\" \"-\"");
        Request bare = new Request("GET", "", "/", null, HttpVersion.HTTP_1_0, null, null);
        assertThat(combined(Records.of(bare, 200, null), ZoneOffset.UTC))
                .endsWith("\"GET / HTTP/1.0\" 200 1234 \"-\" \"-\"");
    }

    static String json(AccessRecord record) {
        LineBuffer line = new LineBuffer(1);
        new JsonLines(Redaction.USUAL).append(line, record);
        return line.toString();
    }

    static String combined(AccessRecord record, ZoneId zone) {
        LineBuffer line = new LineBuffer(1);
        new CombinedLines(zone, Redaction.USUAL).append(line, record);
        return line.toString();
    }
}
