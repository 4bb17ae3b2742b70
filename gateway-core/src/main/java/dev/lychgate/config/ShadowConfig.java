package dev.lychgate.config;

import java.time.Duration;

/**
 * The comparison of a candidate with the stable generation before the first step of a rollout. The request filters and
 * routes of both generations process copies of requests, and the gateway compares the decisions of the two generations.
 *
 * @param share the share of the requests that are copied
 * @param hold the minimum time before the first step
 * @param requests the minimum number of compared requests before the first step
 * @param onDifference the effect of a difference on the rollout
 */
public record ShadowConfig(SampleRate share, Duration hold, int requests, OnDifference onDifference) {
    /** The effect of a difference on the rollout. */
    public enum OnDifference {
        /** The first step begins even if there are differences. */
        CONTINUE,
        /** The first step does not begin until an operator decides. */
        HOLD
    }

    private static final Key<SampleRate> SHARE = Key.typed("share", Form.RATE, new SampleRate(0.1))
            .about(
                    "the share of the requests of the stable generation that are copied, chosen at random; more than 0%");
    private static final Key<Duration> HOLD =
            Key.duration("hold", "30s").positive().about("the minimum time before the first step");
    private static final Key<Integer> REQUESTS = Key.number("requests", 100)
            .between(1, 1_000_000)
            .about("the minimum number of compared requests before the first step");
    private static final Key<OnDifference> ON_DIFFERENCE = Key.choice("on-difference", OnDifference.CONTINUE)
            .about("`continue`: differences are reported, and the first step begins; `hold`: after a difference, the "
                    + "first step waits for an operator, even if the comparison ends early");

    static final Keys<ShadowConfig> KEYS = Keys.of(ShadowConfig::new, SHARE, HOLD, REQUESTS, ON_DIFFERENCE);

    public ShadowConfig {
        KEYS.check(share, hold, requests, onDifference);
        Expect.that(share.fraction() > 0, "share", share, "more than 0%");
    }
}
