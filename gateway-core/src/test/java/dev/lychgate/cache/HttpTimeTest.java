package dev.lychgate.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dates of header fields (RFC 9110, 5.6.7). */
class HttpTimeTest {
    private static final long NOW = 1_800_000_000L;
    private static final long EXAMPLE = 784_111_777L;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994",
            })
    void acceptsTheThreeFormats(String text) {
        assertThat(HttpTime.parse(text, NOW)).isEqualTo(EXAMPLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "-1",
                "Sun, 06 Nov 1994 08:49:37",
                "Sun, 06 Nov 1994 08:49:37 UTC",
                "Sun, 06 Nov 1994 08:49:37 +0000",
                "Sun, 6 Nov 1994 08:49:37 GMT",
                "Sun, 06 nov 1994 08:49:37 GMT",
                "Sun, 06-Nov-1994 08:49:37 GMT",
                "Sun, 06 Nov 94 08:49:37 GMT",
                "Sun, 31 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 24:49:37 GMT",
                "Sun, 06 Nov 1994 08:60:37 GMT",
                "Sun, 06 Nov 1994 08.49.37 GMT",
                "Sun, 06 Nov 1994 08:49:3x GMT",
                "Sun Nov 06 08:49:37 1994 GMT",
                "1994-11-06T08:49:37Z",
            })
    void rejectsAllOtherTexts(String text) {
        assertThat(HttpTime.parse(text, NOW)).isEqualTo(HttpTime.MALFORMED);
    }

    @Test
    void readsAYearOfTwoDigitsAsAtMostFiftyYearsInTheFuture() {
        assertThat(HttpTime.format(HttpTime.parse("Saturday, 01-Jan-70 00:00:00 GMT", NOW)))
                .endsWith(" 2070 00:00:00 GMT");
        assertThat(HttpTime.format(HttpTime.parse("Saturday, 01-Jan-80 00:00:00 GMT", NOW)))
                .endsWith(" 1980 00:00:00 GMT");
    }

    @Test
    void formatsWhatItParses() {
        for (long second = -1_000_000_000L; second < 100_000_000_000L; second += 987_654_321L) {
            assertThat(HttpTime.parse(HttpTime.format(second), NOW)).isEqualTo(second);
        }
        assertThat(HttpTime.format(EXAMPLE)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    }
}
