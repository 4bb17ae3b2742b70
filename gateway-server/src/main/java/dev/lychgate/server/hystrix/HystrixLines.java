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
 * What the event stream of Hystrix says of the upstreams: one JSON object for each, asked for again and again (the dashboard
 * expects that twice a second) for as long as somebody watches. Hystrix hears of attempts only by this asking; while nobody
 * watches they cost nothing, and whoever begins to watch sees the rolling counts fill in the course of a window.
 *
 * <p>On a thread that may wait, never on an event loop; several that watch may ask at once.
 */
public final class HystrixLines {
    private final Supplier<? extends Collection<Upstream>> upstreams;
    private final Map<String, HystrixFeed> feeds = new HashMap<>();

    /** @param upstreams those of the newest generation */
    public HystrixLines(Supplier<? extends Collection<Upstream>> upstreams) {
        this.upstreams = upstreams;
    }

    /** One line for each upstream, to be sent as {@code data: LINE} with an empty line after it. */
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

    /** One that was taken out and put in again counts anew. */
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
