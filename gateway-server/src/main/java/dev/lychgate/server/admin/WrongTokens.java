package dev.lychgate.server.admin;

import dev.lychgate.loop.QuietPeriod;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits requests without valid credentials. Tokens are too long to be guessed; the limit protects the gateway's CPU
 * and connections. All methods except {@link #count} must be called on the admin listener's thread.
 *
 * <p>Each response to a wrong token is delayed. While several responses to an address are pending, further tokens from
 * this address are not checked. Other addresses are not affected.
 */
final class WrongTokens {
    private static final Logger LOG = LoggerFactory.getLogger(WrongTokens.class);

    /** The maximum number of pending responses to wrong tokens from one address. */
    static final int MOST_OF_AN_ADDRESS = 4;

    /**
     * The maximum number of pending responses to wrong tokens from all addresses together. If this number is reached,
     * further responses are not delayed, because each delay occupies a connection.
     */
    private static final int MOST = 16;

    private final Duration lateness;
    private final QuietPeriod lines = new QuietPeriod();
    private final AtomicLong count = new AtomicLong();
    private final Map<String, Integer> waiting = new HashMap<>();
    private int all;

    /** @param lateness delay of the response to a wrong token */
    WrongTokens(Duration lateness) {
        this.lateness = lateness;
    }

    /** Returns the number of requests without valid credentials. Thread-safe. */
    long count() {
        return count.get();
    }

    /**
     * Returns true while tokens from an address are not checked.
     *
     * @param address the address without port
     */
    boolean isDeaf(String address) {
        return waiting.getOrDefault(address, 0) >= MOST_OF_AN_ADDRESS;
    }

    /** Counts a request without credentials, or with credentials that were not checked. */
    void refused(String address, String why) {
        count.incrementAndGet();
        String more = lines.tell(System.nanoTime());
        if (more != null) {
            LOG.warn("admin: request from {} rejected: {}{}", address, why, more);
        }
    }

    /**
     * Counts a request with a wrong token.
     *
     * @param response sends the response after the delay
     */
    void wrong(Channel channel, String address, Runnable response) {
        refused(address, "wrong token");
        if (all >= MOST) {
            response.run();
            return;
        }
        all++;
        waiting.merge(address, 1, Integer::sum);
        channel.eventLoop()
                .schedule(
                        () -> {
                            all--;
                            waiting.computeIfPresent(address, (of, n) -> n == 1 ? null : n - 1);
                            response.run();
                        },
                        lateness.toMillis(),
                        TimeUnit.MILLISECONDS);
    }
}
