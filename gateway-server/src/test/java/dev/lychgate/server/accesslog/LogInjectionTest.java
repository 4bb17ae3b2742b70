package dev.lychgate.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lychgate.config.HecConfig;
import dev.lychgate.config.LoggedHeaders;
import dev.lychgate.config.RedactConfig;
import dev.lychgate.http.HttpVersion;
import dev.lychgate.http.Redaction;
import dev.lychgate.server.accesslog.AccessRecord.Request;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LogInjectionTest {
    private static final Pattern COMBINED =
            Pattern.compile("10\\.0\\.0\\.9 - - \\[[^]]+] \"[^\"]*\" 200 1234 \"[^\"]*\" \"[^\"]*\"");
    private static final Redaction NOTHING = new Redaction(new RedactConfig(List.of(), List.of()));

    static Stream<String> hostile() {
        return Stream.of(
                "x\r\n10.0.0.1 - - [now] \"GET /forged HTTP/1.1\" 200 1 \"-\" \"-\"",
                "x\",\"status\":200,\"forged\":\"",
                "x\"},\"forged\":{\"a\":\"",
                "x\"}}\n{\"time\":0,\"event\":\"forged\"}",
                "x\\",
                "x\\\" 200 0 \"-\" \"-\"",
                "\u001b[2J\u001b[31mred\u0007",
                "\u0000\u0001\u001f\u007f",
                "caf\u00e9 \u0085 \u2028\u2029 \ud83d\ude00 \ud83d",
                // Reversed: the following text is displayed before it.
                "\u202etxt.exe\u202c \u2066a\u2069 \u200f",
                // Bytes that are not UTF-8: one character each.
                "\u00c3( \u00ff\u00fe \u00e2\u0080\u00ae \u00c0\u00ae",
                "token=\r\nforged\"",
                "</script><script>alert(1)</script>",
                "\t${jndi:ldap://a.example/x} %n %msg {}");
    }

    private static AccessRecord record(String hostile) {
        AccessRecord record = Records.of(
                new Request(hostile, hostile, "/" + hostile, hostile, HttpVersion.HTTP_1_1, hostile, hostile),
                200,
                null);
        HttpHeaders headers =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        headers.add("x-a", hostile).add("x-a", hostile);
        return Records.sampled(
                record,
                new LoggedFields(new LoggedHeaders(List.of("x-a"), List.of("x-a")), NOTHING).copy(headers, headers));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void keepsHostileTextWithinItsFieldAndItsLine(String hostile) throws IOException {
        LineBuffer combined = new LineBuffer(1);
        new CombinedLines(ZoneOffset.UTC, NOTHING).append(combined, record(hostile));
        assertThat(combined.toString()).matches("[ -~]*").matches(COMBINED);

        LineBuffer json = new LineBuffer(1);
        new JsonLines(NOTHING).append(json, record(hostile));
        assertThat(json.toString()).matches("[ -~]*");
        holds(parse(json.toString()), "", hostile);
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void maskingDoesNotPermitInjection(String hostile) throws IOException {
        LineBuffer combined = new LineBuffer(1);
        new CombinedLines(ZoneOffset.UTC, Redaction.USUAL).append(combined, record("token=" + hostile));
        assertThat(combined.toString()).matches("[ -~]*").matches(COMBINED);

        LineBuffer json = new LineBuffer(1);
        new JsonLines(Redaction.USUAL).append(json, record("a=1&token=" + hostile));
        assertThat(json.toString()).matches("[ -~]*");
        assertThat(parse(json.toString())).hasSize(28).doesNotContainKey("forged");
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void keepsHostileTextWithinItsEvent(String hostile) throws IOException {
        HecConfig config = HecConfig.of(URI.create("https://127.0.0.1:8088"), "a-token");
        HecEvents events = new HecEvents(config, hostile, new JsonLines(NOTHING));
        events.add(record(hostile));
        events.add(record("plain"));
        String body = new String(events.take(), StandardCharsets.ISO_8859_1);

        assertThat(body).matches("([ -~]+\n){2}");
        Map<String, String> first = parse(body.lines().toList().get(0));
        assertThat(first)
                .containsEntry("time", "1793678706.789")
                .containsEntry("host", hostile)
                .containsEntry("sourcetype", "lychgate:access");
        holds(first, "event.", hostile);
        assertThat(parse(body.lines().toList().get(1))).containsEntry("event.path", "/plain");
    }

    private static void holds(Map<String, String> fields, String at, String hostile) {
        assertThat(fields.keySet().stream().filter(name -> name.startsWith(at))).hasSize(28);
        assertThat(fields)
                .containsEntry(at + "method", hostile)
                .containsEntry(at + "host", hostile)
                .containsEntry(at + "path", "/" + hostile)
                .containsEntry(at + "query", hostile)
                .containsEntry(at + "status", "200")
                .containsEntry(at + "user_agent", hostile)
                .containsEntry(at + "referer", hostile)
                .containsEntry(at + "request_headers.x-a", hostile + ", " + hostile)
                .containsEntry(at + "response_headers.x-a", hostile + ", " + hostile);
    }

    @Test
    void writesEscapesInTheFormOfEachFormat() {
        AccessRecord record = Records.of(
                new Request("GET", "h", "/\"\\\n\u00e9\u20ac\u007f", null, HttpVersion.HTTP_1_1, null, null),
                200,
                null);
        assertThat(LineFormatTest.json(record)).contains("\"path\":\"/\\u0022\\u005c\\u000a\\u00e9\\u20ac\\u007f\"");
        assertThat(LineFormatTest.combined(record, ZoneOffset.UTC))
                .contains("\"GET /\\x22\\x5C\\x0A\\xE9\\xE2\\x82\\xAC\\x7F HTTP/1.1\"");
    }

    /** Parses strictly: one object, each field once, no trailing text. Members of nested objects are {@code name.member}. */
    static Map<String, String> parse(String line) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        JsonFactory strict = JsonFactory.builder()
                .enable(com.fasterxml.jackson.core.StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        try (JsonParser parser = strict.createParser(line)) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            members(parser, "", fields);
            assertThat(parser.nextToken()).isNull();
        }
        return fields;
    }

    private static void members(JsonParser parser, String of, Map<String, String> fields) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = of + parser.currentName();
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                members(parser, name + ".", fields);
            } else {
                fields.put(name, parser.getText());
            }
        }
        assertThat(parser.currentToken()).isEqualTo(JsonToken.END_OBJECT);
    }
}
