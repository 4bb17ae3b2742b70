package dev.lychgate.resilience;

import io.netty.handler.codec.DateFormatter;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code Retry-After} field asks for: seconds, or a date.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3">RFC 9110, 10.2.3 Retry-After</a>
 */
public final class RetryAfter {
    private RetryAfter() {}

    /**
     * How long to wait, in nanoseconds; 0 if the field is absent, past, or not to be understood.
     *
     * @param field its value
     * @param wallClock what time it is, in milliseconds since 1970
     */
    public static long nanos(@Nullable String field, long wallClock) {
        if (field == null || field.isEmpty()) {
            return 0;
        }
        if (field.length() <= 9 && field.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Long.parseLong(field) * 1_000_000_000L;
        }
        // Beyond a length no date has, it is not worth looking at.
        Date date = field.length() > 40 ? null : DateFormatter.parseHttpDate(field);
        return date == null ? 0 : Math.max(0, date.toInstant().toEpochMilli() - wallClock) * 1_000_000L;
    }
}
