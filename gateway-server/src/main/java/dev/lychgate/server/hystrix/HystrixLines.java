package dev.lychgate.server.hystrix;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.upstream.Upstream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The lines of the Hystrix event stream: a JSON object for each upstream. While a client reads the stream, the caller
 * calls {@link #next} repeatedly; the dashboard expects two calls per second. Calls may block, so they must not be made
 * on an event loop. Thread-safe.
 *
 * <p>Attempts are reported to Hystrix only during calls, so they cost nothing while no client reads. Therefore, the
 * rolling counts are incomplete for the duration of one window after a client has connected.
 */
public final class HystrixLines {
    private final Supplier<? extends Collection<Upstream>> upstreams;
    private final Map<String, HystrixFeed> feeds = new HashMap<>();

    /** @param upstreams supplies the upstreams of the generation in force */
    public HystrixLines(Supplier<? extends Collection<Upstream>> upstreams) {
        this.upstreams = upstreams;
    }

    /**
     * Returns one line for each upstream. The caller must send each line as {@code data: LINE}, followed by an empty
     * line.
     */
    public synchronized List<String> next() {
        List<String> lines = new ArrayList<>();
        Set<String> named = new HashSet<>();
        for (Upstream upstream : upstreams.get()) {
            named.add(upstream.config().name());
            HystrixFeed feed = feed(upstream);
            feed.flush();
            lines.add(CommandLine.of(upstream, feed.metrics(), System.currentTimeMillis()));
        }
        feeds.keySet().retainAll(named);
        return lines;
    }

    /** Returns the feed of an upstream. The counts of an upstream that was removed and then re-added start at zero. */
    private HystrixFeed feed(Upstream upstream) {
        String name = upstream.config().name();
        HystrixFeed known = feeds.get(name);
        if (known != null && known.tells(upstream.protection().tally())) {
            return known;
        }
        BreakerConfig breaker = upstream.config().resilience().breaker();
        HystrixFeed made = new HystrixFeed(
                name,
                breaker == null ? BreakerConfig.DEFAULT : breaker,
                upstream.protection().tally());
        feeds.put(name, made);
        return made;
    }
}
