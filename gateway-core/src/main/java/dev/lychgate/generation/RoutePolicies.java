package dev.lychgate.generation;

import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.MirrorConfig;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.resilience.Bulkhead;
import dev.lychgate.resilience.Guards;
import dev.lychgate.resilience.Hedging;
import dev.lychgate.resilience.LatencyQuantile;
import dev.lychgate.resilience.RetryPolicy;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Resilience policies of a route, built once; the counters of event loops outlive generations. */
public final class RoutePolicies {
    private final RouteResilience config;
    private final @Nullable WebSocketConfig webSocketConfig;
    private final @Nullable WebSocketPolicy webSocket;
    private final @Nullable MirrorPolicy mirror;
    private final RetryPolicy retry;
    private final Hedging hedging;
    private final Guards[] guards;
    private final LatencyQuantile[] latencies;
    private final BitSet failures = new BitSet();

    private RoutePolicies(
            RouteResilience config, @Nullable WebSocketConfig webSockets, @Nullable MirrorConfig mirrored, int loops) {
        this.config = config;
        this.webSocketConfig = webSockets;
        this.webSocket = webSockets == null ? null : new WebSocketPolicy(webSockets);
        this.mirror = mirrored == null ? null : new MirrorPolicy(mirrored, loops);
        this.retry = RetryPolicy.of(config.retry());
        this.hedging = Hedging.of(config.retry(), retry);
        this.guards = new Guards[loops];
        this.latencies = new LatencyQuantile[loops];
        Arrays.fill(guards, Guards.NONE);
        Arrays.setAll(latencies, i -> new LatencyQuantile());
        config.onFailure().statuses().forEach(failures::set);
        BulkheadConfig concurrent = config.bulkhead();
        if (concurrent != null) {
            Bulkhead bulkhead = new Bulkhead(concurrent, loops);
            Arrays.setAll(guards, i -> Guards.of(List.of(bulkhead.forLoop())));
        }
    }

    /** The policies of call-outs: the default retries, within the budget of the upstream. No loop counts in them. */
    static final class OfCalls {
        static final RoutePolicies POLICIES = new RoutePolicies(
                new RouteResilience(RetryConfig.DEFAULT, null, RouteResilience.DEFAULT.priority(), OnFailure.FAIL_FAST),
                null,
                null,
                0);

        private OfCalls() {}
    }

    /** The policies of copies: no retries, but a stale connection is replaced. No loop counts in them. */
    static final class OfMirrors {
        static final RoutePolicies POLICIES = new RoutePolicies(RouteResilience.DEFAULT, null, null, 0);

        private OfMirrors() {}
    }

    /** @param before policies of the same route in the previous generation; null if there are none */
    static RoutePolicies of(RouteConfig route, int loops, @Nullable RoutePolicies before) {
        return before != null && before.isOf(route, loops)
                ? before
                : new RoutePolicies(route.resilience(), route.webSocket(), route.mirror(), loops);
    }

    /** Returns whether these are the policies that a route with such settings has. */
    boolean isOf(RouteConfig route, int loops) {
        return config.equals(route.resilience())
                && Objects.equals(webSocketConfig, route.webSocket())
                && Objects.equals(mirror == null ? null : mirror.config(), route.mirror())
                && guards.length == loops;
    }

    /** Returns the WebSocket policy of the route; null if it accepts none. */
    public @Nullable WebSocketPolicy webSocket() {
        return webSocket;
    }

    /** Returns the mirror of the route; null if its requests are not copied. */
    public @Nullable MirrorPolicy mirror() {
        return mirror;
    }

    /** Returns the retry policy. */
    public RetryPolicy retry() {
        return retry;
    }

    /** Returns the hedging policy. */
    public Hedging hedging() {
        return hedging;
    }

    /** Returns the guards that an exchange enters before its first attempt. @param loop the loop's index */
    public Guards guards(int loop) {
        return guards[loop];
    }

    /** Returns the latencies of responses. @param loop the loop's index */
    public LatencyQuantile latency(int loop) {
        return latencies[loop];
    }

    /** Returns the configuration. */
    public RouteResilience config() {
        return config;
    }

    /** Returns whether a response with that status counts as a failure of the upstream; called for every response. */
    public boolean isFailure(int status) {
        return failures.get(status);
    }

    /** Returns how many body bytes of a request are kept for another attempt; 0 if none are possible. */
    public long bytesToKeep() {
        boolean elsewhere = config.onFailure().instead() instanceof RouteAction.Proxy;
        return Math.max(
                retry.bytesToKeep(), elsewhere ? RetryConfig.DEFAULT.body().bytes() : 0);
    }
}
