package dev.lychgate.config;

import java.time.Duration;

/**
 * The shadow of a candidate: before its first step, copies of requests run through the request filters and the routes of both
 * generations, and their decisions are compared.
 *
 * @param share the share of the requests that are copied
 * @param hold the least time before the first step
 * @param requests the least number of compared requests before the first step
 * @param onDifference what a difference does to the rollout
 */
public record ShadowConfig(SampleRate share, Duration hold, int requests, OnDifference onDifference) {
    /** What a difference does to the rollout. */
    public enum OnDifference {
        /** The first step begins. */
        CONTINUE,
        /** The first step waits for an operator. */
        HOLD
    }

    private static final Key<SampleRate> SHARE = Key.typed("share", Form.RATE, new SampleRate(0.1))
            .about(
                    "the share of the requests of the stable generation that are copied, chosen at random; more than 0%");
    private static final Key<Duration> HOLD =
            Key.duration("hold", "30s").positive().about("the least time before the first step");
    private static final Key<Integer> REQUESTS = Key.number("requests", 100)
            .between(1, 1_000_000)
            .about("the least number of compared requests before the first step");
    private static final Key<OnDifference> ON_DIFFERENCE = Key.choice("on-difference", OnDifference.CONTINUE)
            .about(
                    "`continue`: differences are reported, and the first step begins; `hold`: the first step waits for an "
                            + "operator, also if the shadow has ended early");

    static final Keys<ShadowConfig> KEYS = Keys.of(ShadowConfig::new, SHARE, HOLD, REQUESTS, ON_DIFFERENCE);

    public ShadowConfig {
        KEYS.check(share, hold, requests, onDifference);
        Expect.that(share.fraction() > 0, "share", share, "more than 0%");
    }
}
