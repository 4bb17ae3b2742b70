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

/**
 * The resilience policies of a route. If the settings of the route are unchanged, the next generation uses the same
 * object, so that its counters carry over. Each event loop has separate counters.
 */
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

    /**
     * The policies of call-outs: the default retries, within the retry budget of the upstream. The policies have no
     * counters.
     */
    static final class OfCalls {
        static final RoutePolicies POLICIES = new RoutePolicies(
                new RouteResilience(RetryConfig.DEFAULT, null, RouteResilience.DEFAULT.priority(), OnFailure.FAIL_FAST),
                null,
                null,
                0);

        private OfCalls() {}
    }

    /**
     * The policies of mirror copies. The only retry is the replacement of a stale connection. The policies have no
     * counters.
     */
    static final class OfMirrors {
        static final RoutePolicies POLICIES = new RoutePolicies(RouteResilience.DEFAULT, null, null, 0);

        private OfMirrors() {}
    }

    /**
     * Returns the policies of a route.
     *
     * @param before the policies of the route with this id in the previous generation; null if there are none
     */
    static RoutePolicies of(RouteConfig route, int loops, @Nullable RoutePolicies before) {
        return before != null && before.isOf(route, loops)
                ? before
                : new RoutePolicies(route.resilience(), route.webSocket(), route.mirror(), loops);
    }

    /** Returns whether these policies were built from equal settings for the same number of loops. */
    boolean isOf(RouteConfig route, int loops) {
        return config.equals(route.resilience())
                && Objects.equals(webSocketConfig, route.webSocket())
                && Objects.equals(mirror == null ? null : mirror.config(), route.mirror())
                && guards.length == loops;
    }

    /** Returns the WebSocket policy of the route; null if the route accepts no WebSockets. */
    public @Nullable WebSocketPolicy webSocket() {
        return webSocket;
    }

    /** Returns the mirror of the route; null if the route has no mirror. */
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

    /**
     * Returns the guards that admit an exchange before its first attempt, such as the bulkhead of the route.
     *
     * @param loop the index of the current event loop
     */
    public Guards guards(int loop) {
        return guards[loop];
    }

    /**
     * Returns the measured latency of responses.
     *
     * @param loop the index of the current event loop
     */
    public LatencyQuantile latency(int loop) {
        return latencies[loop];
    }

    /** Returns the settings from which these policies were built. */
    public RouteResilience config() {
        return config;
    }

    /**
     * Returns whether a response with this status is treated as a failure of the upstream. Called for every response.
     */
    public boolean isFailure(int status) {
        return failures.get(status);
    }

    /**
     * Returns the maximum number of request body bytes that are kept for another attempt; 0 if there is never another
     * attempt.
     */
    public long bytesToKeep() {
        boolean elsewhere = config.onFailure().instead() instanceof RouteAction.Proxy;
        return Math.max(
                retry.bytesToKeep(), elsewhere ? RetryConfig.DEFAULT.body().bytes() : 0);
    }
}
