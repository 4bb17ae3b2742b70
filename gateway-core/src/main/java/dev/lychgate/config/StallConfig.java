package dev.lychgate.config;

import java.time.Duration;

/**
 * How long an event loop may stand still before the gateway acts. A loop stands still while it runs one piece of code, such as
 * a filter that never returns. Time during which the whole process was stopped does not count.
 */
public record StallConfig(Duration after, Duration notReady, Duration exit) {
    private static final Key<Duration> AFTER = Key.duration("after", "1s")
            .atLeast("200ms")
            .about("after this the loop gets no new connections, and the filter that holds it is ejected where "
                    + "`filters.guard.action` says so");

    private static final Key<Duration> NOT_READY = Key.duration("not-ready", "5s")
            .about("after this `/ready` answers 503 with `loop-stalled`; at least `after`");
    private static final Key<Duration> EXIT = Key.duration("exit", "60s")
            .about("after this the process ends with exit code 70; at least `not-ready`; `0` = never");

    static final Keys<StallConfig> KEYS = Keys.of(StallConfig::new, AFTER, NOT_READY, EXIT);

    public static final StallConfig DEFAULT = KEYS.defaults();

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
}
