package dev.lychgate.config;

import java.time.Duration;

/**
 * What is done about filters that hold an event loop: all other exchanges of that loop wait for as long.
 *
 * @param action what happens after so many strikes; default eject
 * @param after how long a filter may run on an event loop before it counts as a strike; default 100ms
 * @param strikes how many strikes it takes; default 3
 */
public record FilterGuard(Action action, Duration after, int strikes) {
    public static final FilterGuard DEFAULT = new FilterGuard(Action.EJECT, Duration.ofMillis(100), 3);

    /** What happens to a filter that has held event loops too often. */
    public enum Action {
        /** Each strike is logged and counted, and nothing else happens. */
        WARN,
        /** The filter is not run any more, until the next generation: exchanges go on without it, or fail if it fails closed. */
        EJECT
    }

    public FilterGuard {
        Expect.that(after.toMillis() >= 20, "after", Durations.print(after), ">= 20ms");
        Expect.between(1, 1_000_000, "strikes", strikes);
    }
}
