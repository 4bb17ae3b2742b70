package dev.lychgate.config;

import java.time.Duration;

/**
 * The thresholds for stalled event loops. A loop is stalled if a single task, such as a filter that never returns,
 * occupies the loop for a long time. Time during which the whole process was stopped does not count.
 */
public record StallConfig(Duration after, Duration notReady, Duration exit) {
    private static final Key<Duration> AFTER = Key.duration("after", "1s")
            .atLeast("200ms")
            .about("the time after which a stalled event loop receives no new connections; if `filters.guard.action` "
                    + "is `eject`, the filter that blocks the loop is then ejected");

    private static final Key<Duration> NOT_READY = Key.duration("not-ready", "5s")
            .about("the time after which a stalled event loop makes `/ready` respond with 503 and `loop-stalled`; at "
                    + "least `after`");
    private static final Key<Duration> EXIT = Key.duration("exit", "60s")
            .about("the time after which a stalled event loop makes the process exit with code 70; at least "
                    + "`not-ready`; `0` = never");

    static final Keys<StallConfig> KEYS = Keys.of(StallConfig::new, AFTER, NOT_READY, EXIT);

    public static final StallConfig DEFAULT = KEYS.defaults();

    public StallConfig {
        AFTER.check(after);
        Expect.that(
                notReady.compareTo(after) >= 0,
                "not-ready",
                Durations.print(notReady),
                ">= the value of after, " + Durations.print(after));
        Expect.that(
                exit.isZero() || exit.compareTo(notReady) >= 0,
                "exit",
                Durations.print(exit),
                "0 (never), or >= the value of not-ready, " + Durations.print(notReady));
    }
}
