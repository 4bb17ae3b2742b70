package dev.lychgate.config;

import java.time.Duration;

/**
 * How long an event loop may stand still before the gateway acts. A loop stands still while it runs one piece of code, such as
 * a filter that never returns. Time during which the whole process was stopped does not count.
 *
 * @param after after this the loop gets no new connections, and the filter that holds it is ejected where the guard of filters
 *     ejects; default 1s
 * @param notReady after this the gateway reports that it is not ready; default 5s
 * @param exit after this the gateway counts as broken, which ends the process; default 60s, 0 = never
 */
public record StallConfig(Duration after, Duration notReady, Duration exit) {
    /** Garbage collection, or a busy machine, causes shorter ones. */
    private static final Duration SHORTEST = Duration.ofMillis(200);

    public static final StallConfig DEFAULT =
            new StallConfig(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(60));

    public StallConfig {
        Expect.that(after.compareTo(SHORTEST) >= 0, "after", Durations.print(after), ">= " + Durations.print(SHORTEST));
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
