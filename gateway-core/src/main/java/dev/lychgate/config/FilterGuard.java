package dev.lychgate.config;

import java.time.Duration;

/** The guard against filters that block an event loop and thereby delay all other exchanges of that loop. */
public record FilterGuard(Action action, Duration after, int strikes, boolean offload) {

    /** The action on a filter that has blocked event loops too often. */
    public enum Action {
        /** Logs and counts each strike, without further effect. */
        WARN,
        /**
         * Disables the filter until the next generation. If the filter fails closed, its exchanges fail; otherwise,
         * they skip the filter.
         */
        EJECT
    }

    private static final Key<Action> ACTION = Key.choice("action", Action.EJECT)
            .about("`warn` logs and counts each strike; `eject` also disables the filter until the next "
                    + "generation");

    private static final Key<Duration> AFTER = Key.duration("after", "100ms")
            .atLeast("20ms")
            .about("the time for which a filter may block an event loop before the guard records a strike");
    private static final Key<Integer> STRIKES =
            Key.number("strikes", 3).between(1, 1_000_000).about("the number of strikes that triggers the action");

    private static final Key<Boolean> OFFLOAD = Key.flag("offload", true)
            .about(
                    "moves a synchronous filter to [virtual threads](filter-budgets.md#blocking-filters) after its first "
                            + "strike, if the filter waited on the event loop; needs JDK 21");

    static final Keys<FilterGuard> KEYS = Keys.of(FilterGuard::new, ACTION, AFTER, STRIKES, OFFLOAD);

    public static final FilterGuard DEFAULT = KEYS.defaults();

    public FilterGuard {
        KEYS.check(action, after, strikes, offload);
    }

    /** Creates a guard that off-loads filters, which is the default. */
    public FilterGuard(Action action, Duration after, int strikes) {
        this(action, after, strikes, true);
    }
}
