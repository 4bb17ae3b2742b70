package dev.lychgate.generation;

import dev.lychgate.config.BulkheadConfig;
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

/** What a route does about failures and overload, worked out once; what loops count in it outlives generations. */
public final class RoutePolicies {
    private final RouteResilience config;
    private final @Nullable WebSocketConfig webSocketConfig;
    private final @Nullable WebSocketPolicy webSocket;
    private final RetryPolicy retry;
    private final Hedging hedging;
    private final Guards[] guards;
    private final LatencyQuantile[] latencies;
    private final BitSet failures = new BitSet();

    private RoutePolicies(RouteResilience config, @Nullable WebSocketConfig webSockets, int loops) {
        this.config = config;
        this.webSocketConfig = webSockets;
        this.webSocket = webSockets == null ? null : new WebSocketPolicy(webSockets);
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

    /** @param before those of the route of the same id in the generation before; null if there is none */
    static RoutePolicies of(RouteConfig route, int loops, @Nullable RoutePolicies before) {
        if (before != null
                && before.config.equals(route.resilience())
                && Objects.equals(before.webSocketConfig, route.webSocket())
                && before.guards.length == loops) {
            return before;
        }
        return new RoutePolicies(route.resilience(), route.webSocket(), loops);
    }

    /** Which WebSockets the route takes; null if none. */
    public @Nullable WebSocketPolicy webSocket() {
        return webSocket;
    }

    /** When a request is sent again. */
    public RetryPolicy retry() {
        return retry;
    }

    /** When it is sent a second time beside the first. */
    public Hedging hedging() {
        return hedging;
    }

    /** What an exchange asks before its first attempt. @param loop the loop's index */
    public Guards guards(int loop) {
        return guards[loop];
    }

    /** How long answers take. @param loop the loop's index */
    public LatencyQuantile latency(int loop) {
        return latencies[loop];
    }

    /** What was configured. */
    public RouteResilience config() {
        return config;
    }

    /** Whether an answer with that status counts as a failure of the upstream; asked for every answer. */
    public boolean isFailure(int status) {
        return failures.get(status);
    }

    /** How many bytes of a request's body are kept for another attempt; 0 if there will be none. */
    public long bytesToKeep() {
        boolean elsewhere = config.onFailure().instead() instanceof RouteAction.Proxy;
        return Math.max(
                retry.bytesToKeep(), elsewhere ? RetryConfig.DEFAULT.body().bytes() : 0);
    }
}
