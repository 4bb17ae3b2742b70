package dev.lychgate.exchange.attempt;

import dev.lychgate.http.FieldNames;
import dev.lychgate.http.HttpBytes;
import dev.lychgate.http.RequestHead;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The header that informs an origin of the remaining time for its response, in whole milliseconds. A value from a
 * client that is not trusted is removed. A value from a trusted proxy is an upper bound of the value for the origin,
 * but does not shorten the timeout of the exchange itself. Created only if the route sends the header. Used on the
 * exchange's event loop.
 */
public final class DeadlineField {
    private final String name;
    private final long givenAt;
    /**
     * The time that a trusted proxy states, in nanoseconds; {@link Long#MAX_VALUE} if no trusted proxy states a time.
     */
    private final long given;

    private DeadlineField(String name, long givenAt, long given) {
        this.name = name;
        this.givenAt = givenAt;
        this.given = given;
    }

    /**
     * Removes the header from {@code head}, and remembers its value if the client is a trusted proxy.
     *
     * @param trusted whether the client is a trusted proxy
     * @param began the time at which the request began, in nanoseconds
     */
    public static DeadlineField take(String name, RequestHead head, boolean trusted, long began) {
        long limit = trusted ? nanos(head.headers().get(name)) : Long.MAX_VALUE;
        String folded = FieldNames.fold(name);
        FieldNames.removeIf(head.headers(), given -> FieldNames.isAlike(given, folded));
        return new DeadlineField(name, began, limit);
    }

    private static long nanos(@Nullable String millis) {
        boolean number = millis != null && millis.length() <= 9 && HttpBytes.isDigits(millis);
        return number ? TimeUnit.MILLISECONDS.toNanos(Long.parseLong(millis)) : Long.MAX_VALUE;
    }

    /**
     * Sets the header for one attempt. Removes the header if neither the exchange nor a proxy limits the time.
     *
     * @param exchange the remaining time of the exchange, in nanoseconds; {@link Long#MAX_VALUE} without a deadline
     * @param attempt the remaining time of the attempt, in nanoseconds; {@link Long#MAX_VALUE} without a timeout
     * @param now the current time, in nanoseconds
     */
    void write(RequestHead head, long exchange, long attempt, long now) {
        long ofProxy = given == Long.MAX_VALUE ? Long.MAX_VALUE : given - (now - givenAt);
        long whole = Math.min(exchange, ofProxy);
        if (whole == Long.MAX_VALUE) {
            head.headers().remove(name);
        } else {
            // Sends at least 1 ms, because some origins interpret 0 as no limit.
            long millis = TimeUnit.NANOSECONDS.toMillis(Math.min(whole, attempt));
            head.headers().set(name, Long.toString(Math.max(1, millis)));
        }
    }
}
