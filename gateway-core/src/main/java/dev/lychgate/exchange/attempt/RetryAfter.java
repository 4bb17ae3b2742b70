package dev.lychgate.exchange.attempt;

import dev.lychgate.http.HttpBytes;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Parses values of {@code Retry-After}, which are a number of seconds or a date.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3">RFC 9110, 10.2.3 Retry-After</a>
 */
final class RetryAfter {
    private RetryAfter() {}

    /**
     * Returns the delay that the header of a response requests, in nanoseconds from now; see {@link #nanos(String,
     * long)}.
     */
    static long nanos(HttpHeaders headers) {
        return nanos(headers.get(HttpHeaderNames.RETRY_AFTER), System.currentTimeMillis());
    }

    /**
     * Returns the delay in nanoseconds; 0 if the value is absent, in the past or malformed; {@link Long#MAX_VALUE} on
     * overflow.
     *
     * @param field the value of the header; null if absent
     * @param wallClock the current time, in milliseconds since 1970
     */
    static long nanos(@Nullable String field, long wallClock) {
        if (field == null || field.isEmpty()) {
            return 0;
        }
        if (HttpBytes.isDigits(field)) {
            return field.length() <= 9 ? TimeUnit.SECONDS.toNanos(Long.parseLong(field)) : Long.MAX_VALUE;
        }
        // No date is longer than 40 characters.
        Date date = field.length() > 40 ? null : DateFormatter.parseHttpDate(field);
        return date == null
                ? 0
                : TimeUnit.MILLISECONDS.toNanos(Math.max(0, date.toInstant().toEpochMilli() - wallClock));
    }
}
