package dev.lychgate.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rollout of a new generation. The new generation receives a growing share of the exchanges, and the stable
 * generation receives all other exchanges.
 *
 * @param steps the shares in ascending order; the last share is 100 %
 * @param hold the minimum duration of each step
 * @param by the part of a request that determines which generation serves the request
 * @param include groups of predicates; at every step, the new generation serves all requests that match one of these
 *     groups
 * @param abortOn the largest differences that the rollout tolerates
 * @param shadow the comparison of decisions before the first step; null = no comparison
 */
public record RolloutConfig(
        List<SampleRate> steps,
        Duration hold,
        Stickiness by,
        List<MatchConfig> include,
        AbortRules abortOn,
        @Nullable ShadowConfig shadow) {
    private static final int MOST_STEPS = 20;

    private static final Key<List<SampleRate>> STEPS = Key.typed(
                    "steps",
                    Form.list(Form.RATE),
                    List.of(new SampleRate(0.01), new SampleRate(0.1), new SampleRate(0.5), SampleRate.ALL))
            .between(1, MOST_STEPS)
            .about("the shares of the exchanges that the new generation receives, ascending, each more than 0%; a "
                    + "last step of 100% is added if it is missing");
    private static final Key<Duration> HOLD =
            Key.duration("hold", "30s").positive().about("the minimum duration of each step");
    private static final Key<Stickiness> BY = Key.typed("by", Stickiness.FORM, new Stickiness.Client())
            .absent("`client`")
            .about("the part of a request that decides which generation serves the request: the same generation serves "
                    + "all requests with the same value, such as all requests of a client; `request` = a random choice "
                    + "for each request");
    private static final Key<List<MatchConfig>> INCLUDE = Key.list("include", Form.section(MatchConfig::requests))
            .about("groups of predicates; at every step, the new generation serves each request that matches at least "
                    + "one group");
    private static final Key<AbortRules> ABORT_ON = Key.section("abort-on", AbortRules.KEYS)
            .about("the differences from the stable generation that abort the rollout; `off` = the generations are "
                    + "not compared");

    private static final Key<ShadowConfig> SHADOW = Key.section("shadow", null, () -> ShadowConfig.KEYS)
            .absent("the first step begins at once")
            .about("the comparison of the decisions of filters and routes before the first step; see "
                    + "[shadow](shadow.md)");

    static final Keys<RolloutConfig> KEYS = Keys.of(RolloutConfig::new, STEPS, HOLD, BY, INCLUDE, ABORT_ON, SHADOW);

    /** The settings that an empty section {@code rollout} configures: all keys have their defaults. */
    public static final RolloutConfig DEFAULT = KEYS.defaults();

    public RolloutConfig {
        KEYS.check(steps, hold, by, include, abortOn, shadow);
        include = Expect.copy(include);
        double last = 0;
        for (SampleRate step : steps) {
            String expected = last == 0 ? "more than 0%, at most 100%" : "more than the previous step";
            Expect.that(step.fraction() > last, "steps", step, expected);
            last = step.fraction();
        }
        steps = complete(steps);
    }

    private static List<SampleRate> complete(List<SampleRate> steps) {
        List<SampleRate> all = new ArrayList<>(steps);
        if (!all.get(all.size() - 1).isAll()) {
            all.add(SampleRate.ALL);
        }
        return List.copyOf(all);
    }

    /**
     * Returns this rollout with other steps.
     *
     * @throws ConfigException if the steps do not ascend, or if there are too many
     */
    public RolloutConfig withSteps(List<SampleRate> others) {
        return new RolloutConfig(others, hold, by, include, abortOn, shadow);
    }

    /** Returns this rollout with another minimum duration of each step. */
    public RolloutConfig withHold(Duration other) {
        return new RolloutConfig(steps, other, by, include, abortOn, shadow);
    }
}
