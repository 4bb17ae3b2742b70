package dev.lychgate.filters.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The types that a list of names and patterns matches. */
class MediaTypesTest {
    @ParameterizedTest
    @CsvSource({
        "text/*, text/html, true",
        "text/*, Text/HTML; charset=utf-8, true",
        "text/*, text/event-stream, false",
        "text/event-stream, text/event-stream;charset=utf-8, true",
        "application/json, application/json, true",
        "application/json, application/jsonp, false",
        "application/*+json, application/problem+json, true",
        "application/*+json, application/json, false",
        "*/*, application/x-whatever, true",
        "*/*, image/png, false",
        "*/*, image/svg+xml, true",
        "*/*, application/zip, false",
        "*/*, application/grpc+proto, false",
        "*/*, font/woff2, false",
        "font/*, font/woff2, false",
        "image/png, image/png, true",
        "image/*, image/webp, false",
        "*/*, nonsense, false",
    })
    void contain(String pattern, String type, boolean contained) {
        assertThat(MediaTypes.of(List.of(pattern)).contain(type)).isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "json", "*/json", "text/html; charset=utf-8", "text/**", "a/b/c"})
    void areRefusedIfMalformed(String pattern) {
        assertThatThrownBy(() -> MediaTypes.of(List.of(pattern)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(pattern);
    }
}
