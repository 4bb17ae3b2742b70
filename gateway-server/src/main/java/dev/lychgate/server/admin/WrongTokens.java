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
 * What is done about those who come without what is asked for. A token is too long to be found by trying; this keeps those
 * who try nevertheless from costing anything: each wrong one is answered late, and whoever waits for a few such answers is
 * not listened to until they have come. Nobody else is kept out by that. On the admin listener's thread, but for the count.
 */
final class WrongTokens {
    private static final Logger LOG = LoggerFactory.getLogger(WrongTokens.class);

    /** Wrong tokens of one address that may wait for their answers. */
    static final int MOST_OF_AN_ADDRESS = 4;

    /** Of all addresses: more are answered at once, for each that waits takes a connection. */
    private static final int MOST = 16;

    private final Duration lateness;
    private final QuietPeriod lines = new QuietPeriod();
    private final AtomicLong count = new AtomicLong();
    private final Map<String, Integer> waiting = new HashMap<>();
    private int all;

    /** @param lateness how late a wrong token is answered */
    WrongTokens(Duration lateness) {
        this.lateness = lateness;
    }

    /** How many requests came without what is asked for. Any thread. */
    long count() {
        return count.get();
    }

    /** Whether tokens from there are not looked at, at present. @param address without port */
    boolean isDeaf(String address) {
        return waiting.getOrDefault(address, 0) >= MOST_OF_AN_ADDRESS;
    }

    /** Somebody has come without anything, or has not been listened to. */
    void refused(String address, String how) {
        count.incrementAndGet();
        String more = lines.tell(System.nanoTime());
        if (more != null) {
            LOG.warn("admin: a request from {} {}{}", address, how, more);
        }
    }

    /** Somebody has come with a wrong token. @param answer run when it is time to say so */
    void wrong(Channel channel, String address, Runnable answer) {
        refused(address, "came with a wrong token");
        if (all >= MOST) {
            answer.run();
            return;
        }
        all++;
        waiting.merge(address, 1, Integer::sum);
        channel.eventLoop()
                .schedule(
                        () -> {
                            all--;
                            waiting.computeIfPresent(address, (of, n) -> n == 1 ? null : n - 1);
                            answer.run();
                        },
                        lateness.toMillis(),
                        TimeUnit.MILLISECONDS);
    }
}
