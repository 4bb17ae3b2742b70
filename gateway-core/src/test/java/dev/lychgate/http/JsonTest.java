package dev.lychgate.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads the grammar of RFC 8259 only. */
class JsonTest {
    @Test
    void readsValues() {
        assertThat(Json.read(" {\"a\" : [1, -2.5e3, \"x\", true, false, null], \"b\":{}, \"c\":[] } "))
                .isEqualTo(new LinkedHashMap<>(Map.of(
                        "a", Arrays.asList(1L, new BigDecimal("-2.5e3"), "x", true, false, null),
                        "b", Map.of(),
                        "c", List.of())));
        assertThat(Json.read("0")).isEqualTo(0L);
        assertThat(Json.read("-0")).isEqualTo(0L);
        assertThat(Json.read("123456789012345678901234567890"))
                .isEqualTo(new BigInteger("123456789012345678901234567890"));
        assertThat(Json.read("9223372036854775807")).isEqualTo(new BigInteger("9223372036854775807"));
        assertThat(Json.read("\"\\u00e9\\n\\\"\\\\\\/\\b\\f\\r\\t\"")).isEqualTo("\u00e9\n\"\\/\b\f\r\t");
        assertThat(Json.read("null")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "\"",
                "nul",
                "tru",
                "{]",
                "[1,]",
                "{\"a\":1,}",
                "{a:1}",
                "{\"a\" 1}",
                "01",
                "1.",
                ".5",
                "+1",
                "1e",
                "-",
                "--1",
                "- 1",
                "NaN",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\\u\u0661234\"",
                "\"\\",
                "\"a\nb\"",
                "1 2",
                "{\"a\":1,\"a\":2}",
                "[1 2]",
                "'a'",
                "// c\n1",
                "\u00a01",
                "1e99999999999",
                "1e401",
                "1e-401"
            })
    void rejects(String text) {
        assertThatThrownBy(() -> Json.read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("malformed JSON(: [a-z 8]+,?)? (at|after|before) (character|byte) \\d+.*");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1 | malformed JSON: the text ends too early, after character 6",
                "'' | malformed JSON: the text ends too early, after character 0",
                "[1,] | malformed JSON at character 4 of 4",
                "1E1000 | malformed JSON: a number out of range before character 6 of 6",
                "[1e-401] | malformed JSON: a number out of range before character 8 of 8",
                "\"\\ud800\" | malformed JSON: an unpaired surrogate before character 8 of 8",
                "[\"\\udc00\\ud800\",1] | malformed JSON: an unpaired surrogate before character 16 of 18"
            })
    void namesThePositionOfTheFault(String text, String message) {
        assertThatThrownBy(() -> Json.read(text)).hasMessage(message);
    }

    @Test
    void rejectsMalformedUtf8AndPassesReplacementCharacters() {
        byte[] replacement = "[\"\uFFFD\uD83D\uDE00\"]".getBytes(StandardCharsets.UTF_8);
        assertThat(Json.read(replacement)).isEqualTo(List.of("\uFFFD\uD83D\uDE00"));
        assertThat(Json.read("\uFEFF1".getBytes(StandardCharsets.UTF_8))).isEqualTo(1L);
        List<byte[]> malformed = List.of(
                new byte[] {'"', (byte) 0xff, '"'},
                // An overlong slash, an unpaired surrogate, and an unfinished sequence.
                new byte[] {'"', (byte) 0xc0, (byte) 0xaf, '"'},
                new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'},
                new byte[] {'"', (byte) 0xe2, (byte) 0x82});
        for (byte[] text : malformed) {
            assertThatThrownBy(() -> Json.read(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("malformed JSON: invalid UTF-8 at byte 2 of " + text.length);
        }
        assertThatThrownBy(() -> Json.text(malformed.get(0), 1, 3))
                .hasMessage("malformed JSON: invalid UTF-8 at byte 1 of 2");
    }

    @Test
    void writesArraysAsLists() {
        assertThat(Json.write(Map.of("a", new int[] {1, 2}))).isEqualTo("{\"a\":[1,2]}");
        assertThat(Json.write(new Object[] {"x", null, new boolean[] {true}, new String[0]}))
                .isEqualTo("[\"x\",null,[true],[]]");
        Object[] own = new Object[1];
        own[0] = own;
        assertThatThrownBy(() -> Json.write(own)).hasMessageContaining("64 levels");
    }

    @Test
    void limitsDepthAndNumbers() {
        assertThat(Json.read("[".repeat(64) + "]".repeat(64))).isInstanceOf(List.class);
        assertThatThrownBy(() -> Json.read("[".repeat(65) + "]".repeat(65)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("malformed JSON: more than 64 levels at character 65 of 130");
        assertThatThrownBy(() -> Json.read("{\"a\":".repeat(100_000))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Json.read("1".repeat(65))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void writesTheValuesThatItReads() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("a\"b", List.of(1, 2.5, true, "\u00e9\n"));
        value.put("none", null);
        value.put("empty", Map.of());
        String text = Json.write(value);
        assertThat(text).isEqualTo("{\"a\\u0022b\":[1,2.5,true,\"\\u00e9\\u000a\"],\"none\":null,\"empty\":{}}");
        assertThat(Json.write(Json.read(text))).isEqualTo(text);
        assertThat(Json.write(Thread.State.NEW)).isEqualTo("\"NEW\"");
    }

    @Test
    void rejectsValuesWithoutAJsonForm() {
        assertThatThrownBy(() -> Json.write(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        Object nested = List.of();
        for (int i = 0; i < 70; i++) {
            nested = List.of(nested);
        }
        Object deep = nested;
        assertThatThrownBy(() -> Json.write(deep)).isInstanceOf(IllegalArgumentException.class);
    }
}
