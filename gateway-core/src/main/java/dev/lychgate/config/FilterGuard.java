package dev.lychgate.config;

import java.time.Duration;

/**
 * What is done about filters that hold an event loop: all other exchanges of that loop wait for as long.
 */
public record FilterGuard(Action action, Duration after, int strikes) {

    /** What happens to a filter that has held event loops too often. */
    public enum Action {
        /** Each strike is logged and counted, and nothing else happens. */
        WARN,
        /** The filter is not run any more, until the next generation: exchanges go on without it, or fail if it fails closed. */
        EJECT
    }

    private static final Key<Action> ACTION = Key.choice("action", Action.EJECT)
            .about("`warn` logs and counts each strike; `eject` also takes the filter out until the next generation");

    private static final Key<Duration> AFTER = Key.duration("after", "100ms")
            .atLeast("20ms")
            .about("how long a filter may hold an event loop before that is a strike");
    private static final Key<Integer> STRIKES =
            Key.number("strikes", 3).between(1, 1_000_000).about("how many strikes it takes");

    static final Keys<FilterGuard> KEYS = Keys.of(FilterGuard::new, ACTION, AFTER, STRIKES);

    public static final FilterGuard DEFAULT = KEYS.defaults();

    public FilterGuard {
        KEYS.check(action, after, strikes);
    }
}
