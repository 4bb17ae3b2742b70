package dev.lychgate.exchange.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The delay of a Retry-After field. */
class RetryAfterTest {
    /** Sun, 06 Nov 1994 08:49:37 GMT. */
    private static final long NOW = 784_111_777_000L;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0                             | 0
        2                             | 2000
        999999999                     | 999999999000
        Sun, 06 Nov 1994 08:49:40 GMT | 3000
        Sun, 06 Nov 1994 08:49:30 GMT | 0
        -1                            | 0
        1.5                           | 0
        soon                          | 0
        ''                            | 0
        """)
    void isSecondsOrADate(String field, long millis) {
        assertThat(RetryAfter.nanos(field, NOW)).isEqualTo(millis * 1_000_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9999999999",
                "123456789012345678901234567890",
                "Fri, 31 Dec 9999 23:59:59 GMT",
                "Thu, 31 Dec 2500 23:59:59 GMT"
            })
    void moreThanCanBeSaidIsForEver(String field) {
        assertThat(RetryAfter.nanos(field, NOW)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void isZeroWithoutTheHeader() {
        assertThat(RetryAfter.nanos(null, NOW)).isZero();
    }
}
