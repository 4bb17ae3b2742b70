package dev.lychgate.server.accesslog;

import java.time.Instant;
import java.time.format.DateTimeFormatter;

/**
 * Formats times as ASCII with a precision of seconds. Each second is formatted only once for all lines. Not
 * thread-safe.
 */
final class SecondText {
    private final DateTimeFormatter format;
    private long second = Long.MIN_VALUE;
    private byte[] text = {};

    SecondText(DateTimeFormatter format) {
        this.format = format;
    }

    /** Formats a time, in milliseconds since 1970. The caller must not modify the returned array. */
    byte[] of(long millis) {
        long its = Math.floorDiv(millis, 1000L);
        if (its != second) {
            second = its;
            text = LineBuffer.constant(format.format(Instant.ofEpochSecond(its)));
        }
        return text;
    }
}
