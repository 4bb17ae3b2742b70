package dev.lychgate.exchange.state;

import dev.lychgate.http.ResponseHead;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Limits the interim responses (1xx) that one exchange accepts from its attempts: {@value #BURST} in one burst, and
 * {@value #PER_SECOND} more per second. The rate permits progress reports during an upload that lasts for hours.
 *
 * <p>A response of 4 KiB or more counts as several responses, because with header compression, one read may contain
 * responses that are a thousand times as large as the read. Backpressure cannot limit the content of one read. Used on
 * one event loop.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-15.2">RFC 9110, 15.2 Informational 1xx</a>
 */
final class InterimAllowance {
    static final int BURST = 128;
    static final int PER_SECOND = 16;

    private static final int UNIT = 4096;
    private static final double PER_NANO = (double) PER_SECOND / TimeUnit.SECONDS.toNanos(1);

    private double left = BURST;
    private long countedAt;

    /**
     * Creates a full allowance.
     *
     * @param now the current time, in nanoseconds
     */
    InterimAllowance(long now) {
        countedAt = now;
    }

    /**
     * Counts an interim response. Returns whether the response may be forwarded; false means that the origin has sent
     * too many interim responses.
     */
    boolean admits(ResponseHead head, long now) {
        left = Math.min(BURST, left + (now - countedAt) * PER_NANO);
        countedAt = now;
        int bytes = 0;
        for (Map.Entry<String, String> field : head.headers()) {
            bytes += field.getKey().length() + field.getValue().length();
        }
        left -= 1 + bytes / UNIT;
        return left >= 0;
    }
}
