package dev.lychgate.exchange.attempt;

import dev.lychgate.http.FieldNames;
import dev.lychgate.http.HttpBytes;
import dev.lychgate.http.RequestHead;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The header that states the remaining time for a response to an origin, in whole milliseconds. The client's value is
 * removed. A trusted proxy's value becomes a deadline that the exchange does not enforce but never exceeds. Created only if
 * the route sends the header. Used on the exchange's event loop.
 */
public final class DeadlineField {
    private final String name;
    private final long givenAt;
    /** Time limit of a trusted proxy, in nanoseconds; {@link Long#MAX_VALUE} without one. */
    private final long given;

    private DeadlineField(String name, long givenAt, long given) {
        this.name = name;
        this.givenAt = givenAt;
        this.given = given;
    }

    /**
     * Removes the header from {@code head}.
     *
     * @param trusted whether the client is a trusted proxy
     * @param began time of the request, in nanoseconds
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
     * Sets the header for one attempt, or removes the value of an earlier one.
     *
     * @param exchange remaining time of the exchange in nanoseconds; {@link Long#MAX_VALUE} without a limit
     * @param attempt remaining time of the attempt; same unit and default
     * @param now nanoseconds
     */
    void write(RequestHead head, long exchange, long attempt, long now) {
        long ofProxy = given == Long.MAX_VALUE ? Long.MAX_VALUE : given - (now - givenAt);
        long whole = Math.min(exchange, ofProxy);
        if (whole == Long.MAX_VALUE) {
            head.headers().remove(name);
        } else {
            // Sends at least 1 ms: some origins interpret 0 as no limit.
            long millis = TimeUnit.NANOSECONDS.toMillis(Math.min(whole, attempt));
            head.headers().set(name, Long.toString(Math.max(1, millis)));
        }
    }
}
