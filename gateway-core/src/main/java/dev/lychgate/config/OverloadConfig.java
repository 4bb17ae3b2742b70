package dev.lychgate.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The reaction to overload, of the gateway itself and of its upstreams.
 *
 * <p>Each measured value of the gateway (lag, direct memory, heap) has a threshold. If a value reaches its threshold,
 * requests with priority 0 are rejected. If the value rises further above the threshold, requests with higher
 * priorities are also rejected. Requests with priority 9 are never rejected for this reason.
 *
 * @param reserve the part of each bulkhead and each adaptive limit that requests with priority 0 can't use
 * @param priority the part of a request that selects its priority; null = the priority of the route
 * @param brownout the time for which requests to an upstream must be rejected continuously before {@code
 *     exchange.brownout} is true in filters
 * @param stale the use of stale responses of the cache during overload; null = overload has no effect on the cache
 * @param page the fixed response that rejected requests get after a long time of continuous rejections; null = rejected
 *     requests always get the error response
 * @param hold the rung (level of overload) of an upstream falls by one if no request to the upstream is rejected for
 *     this time
 */
public record OverloadConfig(
        Duration lag,
        Percent directMemory,
        Percent heap,
        Percent reserve,
        @Nullable PriorityConfig priority,
        Duration brownout,
        @Nullable OverloadStaleConfig stale,
        @Nullable OverloadPageConfig page,
        Duration hold) {
    private static final Key<Duration> LAG = Key.duration("lag", "200ms")
            .atLeast("20ms")
            .about("the lag of an event loop; at five times this lag, all priorities except 9 are rejected");

    private static final Key<Percent> DIRECT_MEMORY = Key.percent("direct-memory", "90%")
            .between("10%", "99%")
            .about("the direct memory in use; at 100%, all priorities except 9 are rejected");
    private static final Key<Percent> HEAP = Key.percent("heap", "95%")
            .between("10%", "99%")
            .about("the heap in use after a garbage collection; at 100%, all priorities except 9 are rejected");
    private static final Key<Percent> RESERVE = Key.percent("reserve", "10%")
            .between("0%", "50%")
            .about("the part of each `bulkhead` and adaptive `limit` that requests with priority 0 can't use; requests "
                    + "with a higher priority can use more of this part, and requests with priority 9 can use all of "
                    + "it");
    private static final Key<PriorityConfig> PRIORITY = Key.section("priority", null, () -> PriorityConfig.KEYS)
            .absent("the `priority` of the route")
            .about("the part of a request that selects its priority; it may differ from the priority of the route");
    private static final Key<Duration> BROWNOUT = Key.duration("brownout", "1s")
            .atLeast("100ms")
            .about("the time for which requests to an upstream must be rejected continuously before "
                    + "`exchange.brownout` is true in filters");
    private static final Key<OverloadStaleConfig> STALE = Key.section("stale", null, () -> OverloadStaleConfig.KEYS)
            .absent("no stale responses")
            .about("the use of stale responses of the [cache](cache.md) during overload: on the rung `stale`, "
                    + "requests with low priority get them and are not forwarded; on each rung, rejected "
                    + "requests get them");
    private static final Key<OverloadPageConfig> PAGE = Key.section("page", null, () -> OverloadPageConfig.KEYS)
            .absent("the error response")
            .about("the response to rejected requests, except gRPC calls, on the rung `page`");
    private static final Key<Duration> HOLD = Key.duration("hold", "5s")
            .atLeast("1s")
            .about("the time without a rejected request after which the level of overload falls to the next lower "
                    + "rung");

    static final Keys<OverloadConfig> KEYS =
            Keys.of(OverloadConfig::new, LAG, DIRECT_MEMORY, HEAP, RESERVE, PRIORITY, BROWNOUT, STALE, PAGE, HOLD);

    public static final OverloadConfig DEFAULT = KEYS.defaults();

    public OverloadConfig {
        KEYS.check(lag, directMemory, heap, reserve, priority, brownout, stale, page, hold);
        if (stale != null) {
            expectInOrder("stale.after", stale.after(), "brownout", brownout);
        }
        if (page != null && stale != null) {
            expectInOrder("page.after", page.after(), "stale.after", stale.after());
        } else if (page != null) {
            expectInOrder("page.after", page.after(), "brownout", brownout);
        }
    }

    private static void expectInOrder(String key, Duration value, String earlier, Duration least) {
        Expect.that(
                value.compareTo(least) >= 0,
                key,
                Durations.print(value),
                "at least " + earlier + ", " + Durations.print(least));
    }

    /**
     * Creates settings with these thresholds for the gateway itself, and with the defaults for all other components.
     */
    public OverloadConfig(Duration lag, Percent directMemory, Percent heap) {
        this(
                lag,
                directMemory,
                heap,
                RESERVE.otherwise(),
                PRIORITY.otherwise(),
                BROWNOUT.otherwise(),
                STALE.otherwise(),
                PAGE.otherwise(),
                HOLD.otherwise());
    }
}
