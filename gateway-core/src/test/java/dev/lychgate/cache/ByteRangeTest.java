package dev.lychgate.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of stored bodies (RFC 9110, 14.1.2). */
class ByteRangeTest {
    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 1, bytes 0-0/10",
        "bytes=2-5, 2, 4, bytes 2-5/10",
        "Bytes=2-5, 2, 4, bytes 2-5/10",
        "bytes=5-, 5, 5, bytes 5-9/10",
        "bytes=5-99, 5, 5, bytes 5-9/10",
        "bytes=-3, 7, 3, bytes 7-9/10",
        "bytes=-99, 0, 10, bytes 0-9/10",
        "bytes=0-999999999999999999, 0, 10, bytes 0-9/10",
    })
    void readsOneRange(String field, long from, long length, String contentRange) {
        ByteRange range = requireNonNull(ByteRange.parse(List.of(field), 10));
        assertThat(range).isEqualTo(new ByteRange(from, length));
        assertThat(range.field(10)).isEqualTo(contentRange);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=10-", "bytes=10-20", "bytes=-0"})
    void isUnsatisfiableOutsideOfTheBody(String field) {
        ByteRange range = requireNonNull(ByteRange.parse(List.of(field), 10));
        assertThat(range.isSatisfiable()).isFalse();
        assertThat(range.field(10)).isEqualTo("bytes */10");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes",
                "bytes=",
                "bytes=-",
                "bytes=a-b",
                "bytes=5-2",
                "bytes=1-2,4-5",
                "lines=1-2",
                "bytes=+1-2",
                "bytes=1--2",
                "bytes=0-9999999999999999999999"
            })
    void ignoresMalformedAndSeveralRanges(String field) {
        assertThat(ByteRange.parse(List.of(field), 10)).isNull();
    }

    @Test
    void ignoresSeveralFields() {
        assertThat(ByteRange.parse(List.of("bytes=0-0", "bytes=0-0"), 10)).isNull();
    }
}
