package dev.lychgate.listener;

import io.netty.util.AsciiString;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/**
 * The current time as the value of a Date header. Each event loop formats this value at most twice per second.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7">RFC 9110, 5.6.7 Date/Time Formats</a>
 */
final class HttpDate {
    private static final String DAYS = "MonTueWedThuFriSatSun";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final long KEPT_FOR = TimeUnit.MILLISECONDS.toNanos(500);
    private static final FastThreadLocal<HttpDate> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected HttpDate initialValue() {
            return new HttpDate();
        }
    };

    private AsciiString text = AsciiString.EMPTY_STRING;
    private long madeAt;

    private HttpDate() {}

    /**
     * Returns the current date.
     *
     * @param now the time of the loop's clock, in nanoseconds, which determines whether the cached text is reused
     */
    static AsciiString at(long now) {
        HttpDate date = OF_THREAD.get();
        if (date.text.isEmpty() || now - date.madeAt >= KEPT_FOR) {
            date.text = of(System.currentTimeMillis() / 1000);
            date.madeAt = now;
        }
        return date.text;
    }

    /**
     * Formats a time as IMF-fixdate, up to the year 9999. This method does not use the JDK's formatters, because they
     * load locale data, which would delay the first client of a process.
     *
     * @param second the number of seconds since the beginning of 1970 in UTC
     */
    static AsciiString of(long second) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
        byte[] text = "Day, dd Mon yyyy hh:mm:ss GMT".getBytes(StandardCharsets.US_ASCII);
        name(text, 0, DAYS, time.getDayOfWeek().getValue());
        digits(text, 5, time.getDayOfMonth());
        name(text, 8, MONTHS, time.getMonthValue());
        digits(text, 12, time.getYear() / 100);
        digits(text, 14, time.getYear() % 100);
        digits(text, 17, time.getHour());
        digits(text, 20, time.getMinute());
        digits(text, 23, time.getSecond());
        return new AsciiString(text, false);
    }

    private static void name(byte[] text, int at, String names, int number) {
        for (int i = 0; i < 3; i++) {
            text[at + i] = (byte) names.charAt(3 * (number - 1) + i);
        }
    }

    private static void digits(byte[] text, int at, int number) {
        text[at] = (byte) ('0' + number / 10);
        text[at + 1] = (byte) ('0' + number % 10);
    }
}
