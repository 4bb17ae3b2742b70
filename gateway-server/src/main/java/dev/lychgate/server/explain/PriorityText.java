package dev.lychgate.server.explain;

import dev.lychgate.config.Durations;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.LimitKey;
import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.OverloadStaleConfig;
import dev.lychgate.config.PriorityConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.http.RequestHead;
import dev.lychgate.limit.RateLimit;
import dev.lychgate.resilience.OverloadLadder;
import dev.lychgate.resilience.OverloadLadder.Position;
import dev.lychgate.resilience.OverloadLadder.Rung;
import dev.lychgate.route.Route;
import org.jspecify.annotations.Nullable;

/**
 * Describes the priority of a request under overload, for an explanation. If the gateway is running, also describes the
 * current rung (level of overload) of the upstream.
 */
public final class PriorityText {
    private PriorityText() {}

    /** Returns a text such as {@code priority 5 of the route}; null if the request has no priority. */
    public static @Nullable String of(GatewayConfig config, Route route, RequestHead head) {
        OverloadConfig overload = config.overload();
        if (overload == null || !(route.action() instanceof RouteAction.Proxy)) {
            return null;
        }
        PriorityConfig by = overload.priority();
        String value = by == null ? null : RateLimit.value(by.key(), head, route.id());
        Integer listed = value == null || by == null ? null : by.values().get(value);
        int ofRoute = route.config().resilience().priority();
        if (by != null && by.key().source() == LimitKey.Source.CLAIM) {
            return "priority by " + by.key() + ", else " + ofRoute + " of the route";
        }
        return listed == null || by == null
                ? "priority " + ofRoute + " of the route"
                : "priority " + listed + " by " + by.key();
    }

    /**
     * Returns a text such as {@code priority 5 of the route, upstream api: brownout (bulkhead-full), brown-out}; null
     * if the request has no priority.
     */
    public static @Nullable String of(Generation generation, Route route, RequestHead head) {
        String priority = of(generation.config(), route, head);
        OverloadPolicy policy = generation.overload();
        if (priority == null || policy == null || !(route.action() instanceof RouteAction.Proxy proxy)) {
            return priority;
        }
        OverloadLadder ladder = policy.ladders().get(proxy.upstream());
        if (ladder == null) {
            return priority;
        }
        Position position = policy.position(ladder);
        String reason =
                position.reason() == null ? "" : " (" + position.reason().label() + ")";
        return priority + ", upstream " + proxy.upstream() + ": "
                + position.rung().label() + reason + effects(policy.config(), route, position.rung());
    }

    private static String effects(OverloadConfig overload, Route route, Rung rung) {
        OverloadStaleConfig stale = overload.stale();
        String brownout = rung.compareTo(Rung.BROWNOUT) < 0 ? "" : ", brown-out";
        return stale == null || route.config().cache() == null || rung.compareTo(Rung.STALE) < 0
                ? brownout
                : brownout + ", stored responses up to " + Durations.print(stale.maxStale())
                        + " stale for priorities below " + stale.below();
    }
}
