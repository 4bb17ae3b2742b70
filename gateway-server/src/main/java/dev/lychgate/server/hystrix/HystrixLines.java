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
 * The Hystrix event stream of the upstreams: one JSON object for each, requested repeatedly while a client watches (the
 * dashboard expects two per second). Attempts are reported to Hystrix only on these requests. While no client watches,
 * they thus cost nothing. For a new client, the rolling counts fill in the course of one window.
 *
 * <p>Calls may block, so they must not be made on an event loop. Several clients may call concurrently.
 */
public final class HystrixLines {
    private final Supplier<? extends Collection<Upstream>> upstreams;
    private final Map<String, HystrixFeed> feeds = new HashMap<>();

    /**
     * @param upstreams the upstreams of the newest generation
     */
    public HystrixLines(Supplier<? extends Collection<Upstream>> upstreams) {
        this.upstreams = upstreams;
    }

    /** Returns one line for each upstream, to be sent as {@code data: LINE} followed by an empty line. */
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

    /** Returns the feed of an upstream. An upstream that was removed and added again starts at zero. */
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
