package dev.lychgate.exchange.attempt;

import dev.lychgate.http.FieldNames;
import dev.lychgate.http.HttpBytes;
import dev.lychgate.http.RequestHead;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The field that tells an origin how long its answer is waited for, in whole milliseconds. What the client says under that
 * name is taken off; a trusted proxy's word is kept as a deadline that the exchange does not enforce and does not
 * outbid. Of one exchange, on its event loop; made where the route sends the field.
 */
public final class DeadlineField {
    private final String name;
    private final long givenAt;
    /** What a trusted proxy has given, in nanoseconds; {@link Long#MAX_VALUE} if none has. */
    private final long given;

    private DeadlineField(String name, long givenAt, long given) {
        this.name = name;
        this.givenAt = givenAt;
        this.given = given;
    }

    /**
     * Takes the field off {@code head}.
     *
     * @param trusted whether the client's word counts
     * @param began when the request came, in nanoseconds
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
     * Sets the field for one attempt, or takes that of an earlier one off.
     *
     * @param exchange what is left of the exchange, in nanoseconds; {@link Long#MAX_VALUE} if it has no limit
     * @param attempt what is left of the attempt; likewise
     * @param now nanoseconds
     */
    void write(RequestHead head, long exchange, long attempt, long now) {
        long ofProxy = given == Long.MAX_VALUE ? Long.MAX_VALUE : given - (now - givenAt);
        long whole = Math.min(exchange, ofProxy);
        if (whole == Long.MAX_VALUE) {
            head.headers().remove(name);
        } else {
            // Less than a millisecond is still more than none, and some take 0 for no limit.
            long millis = TimeUnit.NANOSECONDS.toMillis(Math.min(whole, attempt));
            head.headers().set(name, Long.toString(Math.max(1, millis)));
        }
    }
}
