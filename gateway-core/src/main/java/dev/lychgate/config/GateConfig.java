package dev.lychgate.config;

import java.time.Duration;

/**
 * The checks of a candidate generation before it takes effect.
 *
 * @param tests the tests beside the filters of the directory
 * @param selfChecks the self-checks of filters
 * @param timeout limit of all tests of a candidate together, with the build of their filters
 */
public record GateConfig(Check tests, Check selfChecks, Duration timeout) {
    /** The effect of one kind of check. */
    public enum Check {
        /** A failure refuses the candidate. */
        REQUIRE,
        /** A failure is logged, and the candidate takes effect. */
        WARN,
        /** The checks do not run. */
        OFF
    }

    private static final Key<Check> TESTS = Key.choice("tests", Check.OFF)
            .about("the [tests](filters.md#testing-filters) beside filters: with `require`, a failed test refuses the "
                    + "change; with `warn`, it is logged and the change takes effect");
    private static final Key<Check> SELF_CHECKS = Key.choice("self-checks", Check.REQUIRE)
            .about("the [self-checks](filters.md) of filters, with the same choices; they have 10 s together");
    private static final Key<Duration> TIMEOUT = Key.duration("timeout", "5s")
            .atLeast("100ms")
            .atMost("10m")
            .about("the limit of all tests together; one test has half of it");

    static final Keys<GateConfig> KEYS = Keys.of(GateConfig::new, TESTS, SELF_CHECKS, TIMEOUT);

    public static final GateConfig DEFAULT = KEYS.defaults();

    public GateConfig {
        KEYS.check(tests, selfChecks, timeout);
    }
}
