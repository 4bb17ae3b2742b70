package dev.lychgate.cache;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * Parses and formats the dates in header fields. Accepts the three formats of RFC 9110 and no other format; a response
 * with a malformed date counts as stale. Does not use the formatters of the JDK, because they load locale data.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7">RFC 9110, 5.6.7 Date/Time Formats</a>
 */
final class HttpTime {
    /** The result of {@link #parse} for malformed dates. */
    static final long MALFORMED = Long.MIN_VALUE;

    private static final String DAYS = "MonTueWedThuFriSatSun";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final int IMF_LENGTH = 29;
    private static final int ASCTIME_LENGTH = 24;
    /** The length of a date in the format of RFC 850, without the name of the day. */
    private static final int RFC850_TAIL = 24;

    private HttpTime() {}

    /**
     * Parses a date.
     *
     * @param now the current time in seconds since 1970-01-01T00:00:00Z; determines the century of a year with two
     *     digits
     * @return the time in seconds since 1970-01-01T00:00:00Z; {@link #MALFORMED} if the text is not a date
     */
    static long parse(String text, long now) {
        int length = text.length();
        int comma = text.indexOf(',');
        if (comma == 3 && length == IMF_LENGTH && text.startsWith(" ", 4) && text.startsWith(" ", 7)) {
            boolean framed = text.startsWith(" ", 11) && text.startsWith(" ", 16) && text.endsWith(" GMT");
            return framed ? date(text, 5, 8, number(text, 12, 4), 17) : MALFORMED;
        }
        if (comma >= 6 && comma <= 9 && length == comma + RFC850_TAIL) {
            int day = comma + 2;
            boolean framed = text.startsWith(", ", comma)
                    && text.startsWith("-", day + 2)
                    && text.startsWith("-", day + 6)
                    && text.startsWith(" ", day + 9)
                    && text.endsWith(" GMT");
            int year = framed ? number(text, day + 7, 2) : -1;
            return year < 0 ? MALFORMED : date(text, day, day + 3, century(year, now), day + 10);
        }
        if (comma < 0 && length == ASCTIME_LENGTH && text.startsWith(" ", 3) && text.startsWith(" ", 7)) {
            boolean framed = text.startsWith(" ", 10) && text.startsWith(" ", 19);
            return framed ? date(text, 8, 4, number(text, 20, 4), 11) : MALFORMED;
        }
        return MALFORMED;
    }

    /**
     * Adds the century to a year with two digits. A year that would be more than 50 years in the future belongs to the
     * previous century.
     */
    private static int century(int year, long now) {
        int current = LocalDateTime.ofEpochSecond(now, 0, ZoneOffset.UTC).getYear();
        int candidate = current - current % 100 + year;
        return candidate > current + 50 ? candidate - 100 : candidate;
    }

    private static long date(String text, int dayAt, int monthAt, int year, int timeAt) {
        int month = MONTHS.indexOf(text.substring(monthAt, monthAt + 3));
        int day = text.charAt(dayAt) == ' ' ? number(text, dayAt + 1, 1) : number(text, dayAt, 2);
        int hour = number(text, timeAt, 2);
        int minute = number(text, timeAt + 3, 2);
        int second = number(text, timeAt + 6, 2);
        boolean colons = text.charAt(timeAt + 2) == ':' && text.charAt(timeAt + 5) == ':';
        boolean inRange = month >= 0
                && month % 3 == 0
                && year >= 1
                && day >= 1
                && hour >= 0
                && hour < 24
                && minute >= 0
                && minute < 60
                && second >= 0
                && second <= 60;
        if (!colons || !inRange) {
            return MALFORMED;
        }
        LocalDate first = LocalDate.of(year, month / 3 + 1, 1);
        if (day > first.lengthOfMonth()) {
            return MALFORMED;
        }
        return (first.toEpochDay() + day - 1) * 86_400 + hour * 3_600L + minute * 60L + second;
    }

    /** Reads a number that has exactly {@code digits} digits. Returns -1 if the number is malformed. */
    private static int number(String text, int from, int digits) {
        int number = 0;
        for (int i = from; i < from + digits; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = number * 10 + (c - '0');
        }
        return number;
    }

    /**
     * Formats a time as IMF-fixdate. The time is in seconds since 1970-01-01T00:00:00Z, and not later than the year
     * 9999.
     */
    static String format(long second) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
        int day = 3 * (time.getDayOfWeek().getValue() - 1);
        int month = 3 * (time.getMonthValue() - 1);
        StringBuilder text =
                new StringBuilder(IMF_LENGTH).append(DAYS, day, day + 3).append(", ");
        digits(text, time.getDayOfMonth());
        text.append(' ').append(MONTHS, month, month + 3).append(' ');
        digits(text, time.getYear() / 100);
        digits(text, time.getYear() % 100);
        digits(text.append(' '), time.getHour());
        digits(text.append(':'), time.getMinute());
        digits(text.append(':'), time.getSecond());
        return text.append(" GMT").toString();
    }

    private static void digits(StringBuilder text, int number) {
        text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }
}
