package dev.lychgate.config;

import static dev.lychgate.config.Key.duration;

import java.time.Duration;

/**
 * How long an event loop may stand still before the gateway acts. A loop stands still while it runs one piece of code, such as
 * a filter that never returns. Time during which the whole process was stopped does not count.
 */
public record StallConfig(Duration after, Duration notReady, Duration exit) {
    private static final Key<Duration> AFTER = duration("after", "1s")
            .atLeast("200ms")
            .about("after this the loop gets no new connections, and the filter that holds it is ejected where "
                    + "`filters.guard.action` says so");

    private static final Key<Duration> NOT_READY =
            duration("not-ready", "5s").about("after this `/ready` answers 503 with `loop-stalled`; at least `after`");
    private static final Key<Duration> EXIT = duration("exit", "60s")
            .about("after this the process ends with exit code 70; at least `not-ready`; `0` = never");

    public static final StallConfig DEFAULT = read(Key.DEFAULTS);

    public StallConfig {
        AFTER.check(after);
        Expect.that(
                notReady.compareTo(after) >= 0,
                "not-ready",
                Durations.print(notReady),
                ">= after, which is " + Durations.print(after));
        Expect.that(
                exit.isZero() || exit.compareTo(notReady) >= 0,
                "exit",
                Durations.print(exit),
                "0 (never), or >= not-ready, which is " + Durations.print(notReady));
    }

    /** Reads a section. */
    static StallConfig read(Key.Values values) {
        return new StallConfig(values.get(AFTER), values.get(NOT_READY), values.get(EXIT));
    }
}
