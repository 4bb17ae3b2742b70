package dev.lychgate.server.accesslog;

import java.time.Instant;
import java.time.format.DateTimeFormatter;

/** A point in time, to the second, as ASCII: formatted once for all lines of the same second. For one thread. */
final class SecondText {
    private final DateTimeFormatter format;
    private long second = Long.MIN_VALUE;
    private byte[] text = {};

    SecondText(DateTimeFormatter format) {
        this.format = format;
    }

    /** @param millis since 1970; not to be changed */
    byte[] of(long millis) {
        long its = Math.floorDiv(millis, 1000L);
        if (its != second) {
            second = its;
            text = LineBuffer.constant(format.format(Instant.ofEpochSecond(its)));
        }
        return text;
    }
}
