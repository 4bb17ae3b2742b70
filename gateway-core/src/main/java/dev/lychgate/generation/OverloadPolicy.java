package dev.lychgate.generation;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.OverloadPageConfig;
import dev.lychgate.config.OverloadStaleConfig;
import dev.lychgate.config.PriorityConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.http.RequestHead;
import dev.lychgate.limit.RateLimit;
import dev.lychgate.resilience.LimitShare;
import dev.lychgate.resilience.OverloadLadder;
import dev.lychgate.resilience.OverloadLadder.Position;
import dev.lychgate.resilience.OverloadLadder.Rung;
import dev.lychgate.route.Ingress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The reaction of a generation to overload: the priorities of requests, the part of each limit that a priority may use,
 * and the overload ladders of the upstreams. A ladder carries over to the next generation if that generation also has
 * an upstream of the same name. A generation whose configuration lacks the section {@code overload} has no policy.
 * Thread-safe; no method blocks.
 */
public final class OverloadPolicy {
    private static final int HIGHEST = RouteResilience.HIGHEST_PRIORITY;

    private final OverloadConfig config;
    private final LongSupplier clock;
    private final OverloadLadder.Times times;
    private final LimitShare[] shares = new LimitShare[HIGHEST + 1];
    private final RouteAction.@Nullable Respond page;
    private final Map<String, OverloadLadder> ladders;

    private OverloadPolicy(OverloadConfig config, LongSupplier clock, Map<String, OverloadLadder> ladders) {
        OverloadStaleConfig stale = config.stale();
        OverloadPageConfig fixed = config.page();
        this.config = config;
        this.clock = clock;
        this.ladders = Collections.unmodifiableMap(ladders);
        this.page = fixed == null ? null : fixed.respond();
        this.times = new OverloadLadder.Times(
                config.brownout().toNanos(),
                stale == null ? Long.MAX_VALUE : stale.after().toNanos(),
                fixed == null ? Long.MAX_VALUE : fixed.after().toNanos(),
                config.hold().toNanos());
        for (int priority = 0; priority <= HIGHEST; priority++) {
            double part = 1 - config.reserve().fraction() * (HIGHEST - priority) / HIGHEST;
            shares[priority] = new LimitShare(part, priority == HIGHEST);
        }
    }

    /**
     * Returns the policy of a generation; null if its configuration lacks the section {@code overload}.
     *
     * @param previous the policy of the previous generation, from which ladders carry over; null if there is none
     */
    static @Nullable OverloadPolicy of(GatewayConfig config, @Nullable OverloadPolicy previous) {
        OverloadConfig settings = config.overload();
        if (settings == null) {
            return null;
        }
        Map<String, OverloadLadder> ladders = new LinkedHashMap<>();
        for (String upstream : config.upstreams().keySet()) {
            OverloadLadder before = previous == null ? null : previous.ladders.get(upstream);
            ladders.put(upstream, before == null ? new OverloadLadder() : before);
        }
        return new OverloadPolicy(settings, previous == null ? System::nanoTime : previous.clock, ladders);
    }

    /** Returns the settings of the section {@code overload}. */
    public OverloadConfig config() {
        return config;
    }

    /**
     * Returns the priority of a request.
     *
     * @param head the request head, with the changes of all filters
     * @param ingress facts about the client's connection, with the claims of the sender
     * @param route the id of the route
     * @param ofRoute the priority of the route
     */
    public int priority(RequestHead head, Ingress ingress, String route, int ofRoute) {
        PriorityConfig by = config.priority();
        String value = by == null ? null : RateLimit.value(by.key(), head, ingress, route);
        Integer listed = value == null || by == null ? null : by.values().get(value);
        return listed == null ? ofRoute : listed;
    }

    /**
     * Returns which part of a bulkhead or adaptive limit a request may use. {@code priority} is the priority of the
     * request, from 0 to 9.
     */
    public LimitShare share(int priority) {
        return shares[priority];
    }

    /** Returns whether a request counts as shed if a bulkhead or a limit rejects it with the error {@code kind}. */
    public static boolean isShed(ErrorKind kind) {
        return kind == ErrorKind.BULKHEAD_FULL || kind == ErrorKind.CONCURRENCY_LIMITED;
    }

    /** Records that a request to an upstream is shed, with {@code why} as the error of the request. */
    public void shed(String upstream, ErrorKind why) {
        OverloadLadder ladder = ladders.get(upstream);
        if (ladder != null) {
            ladder.shed(why, clock.getAsLong(), times);
        }
    }

    /** Records that a rate limit refuses a request to an upstream. */
    public void limited(String upstream) {
        OverloadLadder ladder = ladders.get(upstream);
        if (ladder != null) {
            ladder.limited(clock.getAsLong(), times);
        }
    }

    /**
     * Returns whether an upstream is on the rung {@code brownout} or a higher rung, on which filters reduce the cost of
     * exchanges.
     */
    public boolean isBrownout(String upstream) {
        return hasReached(upstream, Rung.BROWNOUT);
    }

    /**
     * Returns the fixed response that clients get if a request to {@code upstream} is shed; null if they currently get
     * the error response.
     */
    public RouteAction.@Nullable Respond page(String upstream) {
        return page != null && hasReached(upstream, Rung.PAGE) ? page : null;
    }

    /**
     * Returns whether low-priority requests to an upstream currently get stale responses from the cache, instead of
     * being forwarded.
     */
    public boolean isStale(String upstream) {
        return config.stale() != null && hasReached(upstream, Rung.STALE);
    }

    private boolean hasReached(String upstream, Rung rung) {
        OverloadLadder ladder = ladders.get(upstream);
        return ladder != null
                && ladder.position(clock.getAsLong(), times).rung().compareTo(rung) >= 0;
    }

    /** Returns the overload ladders of the configured upstreams, by the name of the upstream. */
    public Map<String, OverloadLadder> ladders() {
        return ladders;
    }

    /** Returns whether the configuration enables this rung. */
    public boolean has(Rung rung) {
        return times.has(rung);
    }

    /** Returns the current position of an overload ladder. The position contains the rung of the ladder. */
    public Position position(OverloadLadder ladder) {
        return ladder.position(clock.getAsLong(), times);
    }

    /** Returns how long ago a position was reached, in nanoseconds. */
    public long age(Position position) {
        return clock.getAsLong() - position.since();
    }
}
