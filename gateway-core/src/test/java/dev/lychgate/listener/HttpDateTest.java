package dev.lychgate.listener;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HttpDateTest {
    private static final DateTimeFormatter JDK = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    @Test
    void formatsTheExampleOfTheRfc() {
        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDate.of(784_111_777).toString());
    }

    @Test
    void formatsEveryDayAndMonthLikeTheJdk() {
        // Steps of 13 hours, 7 minutes and 11 seconds cover every day, hour, minute and second in 60 years.
        for (long second = 0; second < TimeUnit.DAYS.toSeconds(60 * 365); second += 47_231) {
            assertEquals(
                    JDK.format(Instant.ofEpochSecond(second)),
                    HttpDate.of(second).toString());
        }
        assertEquals(
                "Fri, 31 Dec 9999 23:59:59 GMT", HttpDate.of(253_402_300_799L).toString());
    }

    @Test
    void theTextIsKeptForHalfASecond() {
        long now = 1_000_000_000L;
        assertEquals(HttpDate.at(now), HttpDate.at(now));
        assertEquals(29, HttpDate.at(now + TimeUnit.SECONDS.toNanos(1)).length());
    }
}
