package dev.lychgate.config;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a candidate generation before it takes effect.
 *
 * @param tests the tests that are stored next to the filters in the filter directory
 * @param selfChecks the self-checks of filters
 * @param replay the replay of recorded exchanges. A replay reports differences between the running generation and the
 *     candidate
 * @param exchanges the number of exchanges that are replayed: the last exchanges of the recording
 * @param timeout the time limit of all tests of a candidate together, including the build of their filters. A replay
 *     has a separate time limit of this length
 */
public record GateConfig(Check tests, Check selfChecks, Check replay, int exchanges, Duration timeout) {
    /** The effect of a failure in one kind of check. */
    public enum Check {
        /** A failure refuses the candidate. */
        REQUIRE,
        /** A failure is logged, and the candidate takes effect. */
        WARN,
        /** The checks do not run. */
        OFF
    }

    private static final Key<Check> TESTS = Key.choice("tests", Check.OFF)
            .about("the [tests](filters.md#testing-filters) of filters: with `require`, a failed test refuses the "
                    + "change; with `warn`, it is logged and the change takes effect");
    private static final Key<Check> SELF_CHECKS = Key.choice("self-checks", Check.REQUIRE)
            .about("the [self-checks](filters.md) of filters, with the same choices as `tests`; all self-checks "
                    + "together may take at most 10 s");
    private static final Key<Check> REPLAY = Key.choice("replay", Check.OFF)
            .about("the [replay](gate.md#replay) of recorded exchanges through the running and the changed filters: "
                    + "with `require`, a difference refuses the change; with `warn`, it is logged; both "
                    + "choices need `record`");
    private static final Key<Integer> EXCHANGES = Key.number("exchanges", 500)
            .between(1, 10_000)
            .about("the number of exchanges that are replayed: the last exchanges of the recording");
    private static final Key<Duration> TIMEOUT = Key.duration("timeout", "5s")
            .atLeast("100ms")
            .atMost("10m")
            .about("the time limit of all tests together; a single test may take at most half of this time. The replay "
                    + "has a separate limit of the same length");

    static final Keys<GateConfig> KEYS = Keys.of(GateConfig::new, TESTS, SELF_CHECKS, REPLAY, EXCHANGES, TIMEOUT);

    public static final GateConfig DEFAULT = KEYS.defaults();

    public GateConfig {
        KEYS.check(tests, selfChecks, replay, exchanges, timeout);
    }

    /**
     * Requires a recording for the replay.
     *
     * @throws ConfigException if exchanges are to be replayed, but no recording is configured
     */
    void refersTo(@Nullable RecordConfig recording) {
        Expect.that(
                replay == Check.OFF || recording != null,
                "gate.replay",
                replay.name().toLowerCase(Locale.ROOT),
                "off, or a section 'record', which records the exchanges for the replay");
    }
}
