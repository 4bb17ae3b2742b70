package dev.lychgate.server.accesslog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.HecConfig;
import dev.lychgate.config.LoggedHeaders;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.http.Redaction;
import dev.lychgate.server.metrics.GuardedObservers;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.URI;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Hostile bytes from a socket in the log, over the whole path. */
class InjectionTrafficTest {
    private static final String BIDI = "\u202egnp.exe\u202c\u2066a\u2069";

    /** Like JSON, within an event. */
    private static final LineFormat EVENTS = new LineFormat() {
        private final HecEvents events = new HecEvents(
                HecConfig.of(URI.create("https://127.0.0.1:8088"), "a-token"), "h", new JsonLines(Redaction.USUAL));

        @Override
        public void append(LineBuffer line, AccessRecord record) {
            events.add(record);
            line.append(events.take()).truncate(line.length() - 1);
        }
    };

    private static byte[] bytes(String text) {
        // A character for a byte that is not UTF-8 is sent as that byte; the rest is sent in UTF-8.
        return text.codePoints().allMatch(c -> c < 0x100) ? text.getBytes(ISO_8859_1) : text.getBytes(UTF_8);
    }

    private static List<String> requests() {
        String tail = " HTTP/1.1\r\nHost: a.example\r\n\r\n";
        return List.of(
                "GET /a%0d%0aforged%22%20200?q=%0a%22%1b[2J" + tail,
                "GET /a\"\\?q=\"},{\"forged\":\"\\" + tail,
                "GET /caf\u00c3\u00a9\u00ff\u00fe?\u00ff" + tail,
                "GET /" + BIDI + "?" + BIDI + tail,
                "GET /a\u001b[31m" + tail,
                "GET /a\rforged" + tail,
                "GET /a\nforged: x" + tail,
                "G\u001bET /" + tail,
                "G\"ET /" + tail,
                "forged\",\"status\":200 / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\"b\u001b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nHost: forged\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: \u00ff\u00fe\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: \"\\ " + BIDI + "\r\nReferer: " + BIDI + "\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: \u00ff\u00fe\u00c3( \u0085\r\nX-A: \u00c0\u00ae\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: \u001b[2J\r\nX-A: \u001b]0;x\u0007\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX-A: a\"},\"forged\":{\"x\":\"\r\nUser-Agent: a\r\n folded: x\r\n\r\n",
                "GET /?token=%0d%0a\"forged HTTP/1.1\r\nHost: a\r\nReferer: http://a/?token=\"forged\r\n\r\n");
    }

    @Test
    void everyRequestIsOneLineOfKnownFields() throws Exception {
        AccessLogConfig config = AccessLogConfig.DEFAULT.withHeaders(new LoggedHeaders(List.of("x-a"), List.of("x-a")));
        LinesInMemory json = new LinesInMemory();
        LinesInMemory combined = new LinesInMemory();
        LinesInMemory hec = new LinesInMemory();
        List<AccessLog> logs = List.of(
                AccessLog.open(config, new JsonLines(Redaction.USUAL), json),
                AccessLog.open(config, new CombinedLines(ZoneOffset.UTC, Redaction.USUAL), combined),
                AccessLog.open(config, EVENTS, hec));
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("hello")))) {
            GatewayConfig settings = Lychgate.builder()
                    .listener("main", "127.0.0.1:0")
                    .upstream("live", "http://127.0.0.1:" + origin.port())
                    .route("all", "/**", "live")
                    .config();
            try (Gateway gateway = Gateway.start(settings, FilterSet.EMPTY, new GuardedObservers(List.copyOf(logs)))) {
                for (String request : requests()) {
                    try (RawClient client = RawClient.connect(gateway.address("main"))) {
                        assertThat(client.send(bytes(request)).readResponse().status())
                                .as(request)
                                .isIn(200, 400, 404, 501);
                    }
                }
            }
        }
        logs.forEach(AccessLog::close);

        // A line feed may begin another request. There are never more lines than responses.
        assertThat(json.lines).hasSameSizeAs(combined.lines).hasSameSizeAs(hec.lines);
        assertThat(json.lines).hasSize(requests().size()).allMatch(line -> line.matches("[ -~]+"));
        for (String line : json.lines) {
            Map<String, String> fields = LogInjectionTest.parse(line);
            assertThat(fields.keySet()).allMatch(InjectionTrafficTest::isKnown).contains("time", "id", "status");
        }
        assertThat(combined.lines)
                .allMatch(
                        line -> line.matches(
                                "127\\.0\\.0\\.1 - - \\[[^\\]\"]+] \"[ -!#-~]*\" [245]\\d\\d \\d+ \"[ -!#-~]*\" \"[ -!#-~]*\""));
        assertThat(hec.lines).allMatch(line -> line.matches("[ -~]+"));
        for (String line : hec.lines) {
            assertThat(LogInjectionTest.parse(line.strip()).keySet())
                    .allMatch(name ->
                            List.of("time", "host", "source", "sourcetype").contains(name)
                                    || (name.startsWith("event.") && isKnown(name.substring("event.".length()))));
        }
    }

    private static boolean isKnown(String field) {
        return !field.contains("forged")
                && (field.matches("[a-z_]+")
                        || field.equals("request_headers.x-a")
                        || field.equals("response_headers.x-a"));
    }
}
