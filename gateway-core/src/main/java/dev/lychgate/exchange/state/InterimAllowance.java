package dev.lychgate.exchange.state;

import dev.lychgate.http.ResponseHead;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Limits the interim responses (1xx) that the attempts of one exchange may receive: {@value #BURST} of up to 4 KiB at once,
 * and {@value #PER_SECOND} more per second, so that an upload of hours may report its progress. Larger ones count as
 * several. Backpressure bounds the responses of several reads; only this limit bounds the responses of a single read, which
 * may be compressed a thousandfold. On one event loop.
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

    /** @param now the present, in nanoseconds */
    InterimAllowance(long now) {
        countedAt = now;
    }

    /** Whether {@code head} may be forwarded; if not, the origin sends too many. */
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
