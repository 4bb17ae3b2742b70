package dev.lychgate.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Rfc;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderFieldsTest {
    private static HeaderFields of(String... namesAndValues) {
        HeaderFields fields = new HeaderFields(4);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.add(bytes(namesAndValues[i]), bytes(namesAndValues[i + 1]));
        }
        return fields;
    }

    private static AsciiString bytes(String text) {
        return new AsciiString(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "X-A", "x a", "x:", "x\r\n", "x\n", "x\0", "x\t", " x", "x ", "x\u00e9", "x(", "x\"", "x,y", "x/y",
                "x\u007f"
            })
    @Rfc("9113, 8.2.1")
    void noNamesOfFields(String name) {
        assertThat(of(name, "v").malformed()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\r\nx: y",
                "a\rb",
                "a\nb",
                "a\0b",
                " a",
                "a ",
                "\ta",
                "a\t",
                " ",
                "a\u0001",
                "a\u000bb",
                "a\u007f"
            })
    @Rfc("9113, 8.2.1")
    void noValuesOfFields(String value) {
        assertThat(of("x", value).malformed()).isNotNull();
        assertThat(of(":path", value).malformed()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a b", "a\tb", "\u00e9", "\u0080", ";=,\"", "a: b"})
    void valuesOfFields(String value) {
        assertThat(of("x", value).malformed()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "connection, close",
        "connection, ''",
        "transfer-encoding, chunked",
        "transfer-encoding, identity",
        "keep-alive, timeout=5",
        "proxy-connection, keep-alive",
        "upgrade, h2c",
        "te, gzip",
        "te, 'trailers, gzip'"
    })
    @Rfc("9113, 8.2.2")
    void fieldsOfHttp1Connections(String name, String value) {
        assertThat(of(name, value).malformed()).isNotNull();
    }

    @Test
    @Rfc("9113, 8.2.2")
    void acceptsTeTrailers() {
        assertThat(of("te", "trailers").malformed()).isNull();
    }

    @Test
    @Rfc("9113, 8.3")
    void pseudoFieldsComeFirstAndOnceAndAreKnown() {
        assertThat(of(":path", "/", ":method", "GET").malformed()).isNull();
        assertThat(of("x", "y", ":path", "/").malformed()).isNotNull();
        assertThat(of(":path", "/", ":path", "/").malformed()).isNotNull();
        assertThat(of(":authority", "", ":authority", "a").malformed()).isNotNull();
        assertThat(of(":secret", "/").malformed()).isNotNull();
        assertThat(of(":", "/").malformed()).isNotNull();
        assertThat(of(":Path", "/").malformed()).isNotNull();
    }

    @Test
    void tooManyFieldsAreNotKeptAndTheFirstFaultCounts() {
        HeaderFields many = of("a", "", "b", "", "c", "", "d", "", "e", "");
        assertThat(many.isTooLarge()).isTrue();
        assertThat(many.size()).isEqualTo(4);
        many.clear();
        assertThat(many.isTooLarge()).isFalse();
        assertThat(many.size()).isZero();
        assertThat(many.pseudos()).isZero();
        HeaderFields twice = of("X", "y", ":path", "/");
        assertThat(twice.malformed()).contains("lower case");
    }
}
