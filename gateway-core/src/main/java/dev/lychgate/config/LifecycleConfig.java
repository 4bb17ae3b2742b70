package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * The settings for reloads, stalled event loops, fault injection, the history and the fleet. Each component is a
 * separate key in the file.
 *
 * @param history the settings of the history of changes; null = no history
 * @param fleet the fleet to which the gateway belongs; null = none
 */
public record LifecycleConfig(
        StallConfig stall,
        Watch watch,
        GateConfig gate,
        FaultsConfig faults,
        @Nullable HistoryConfig history,
        @Nullable FleetConfig fleet) {
    /** Whether the gateway watches the configuration and the filter directory. */
    public enum Watch {
        /** A change takes effect automatically after it is saved. */
        ON,
        /** A change takes effect when a reload is requested. */
        OFF
    }

    private static final Key<StallConfig> STALL = Key.section("stall", StallConfig.KEYS)
            .absent("as below")
            .about(
                    "the reaction to a [stalled event loop](threads.md#loops-that-stand-still), for example a loop with a "
                            + "filter that never returns");
    private static final Key<Watch> WATCH = Key.choice("watch", Watch.ON)
            .about("whether saved files take effect automatically: this file and the files in the filter directory. "
                    + "With `off`, only a [reload](signals.md#reload) applies changes. Changed certificates and keys "
                    + "take effect in both cases");

    private static final Key<GateConfig> GATE = Key.section("gate", GateConfig.KEYS)
            .absent("as below")
            .about("the [checks](gate.md) of a change before it takes effect");
    private static final Key<FaultsConfig> FAULTS = Key.section("faults", FaultsConfig.KEYS)
            .absent("no faults")
            .about("the [injection of faults](faults.md) into exchanges, for rehearsals of failures");

    private static final Key<HistoryConfig> HISTORY = Key.section("history", null, () -> HistoryConfig.KEYS)
            .absent("no history")
            .restart()
            .about("the [history](history.md) of changes, in a file that survives a restart");

    private static final Key<FleetConfig> FLEET = Key.section("fleet", null, () -> FleetConfig.KEYS)
            .absent("no fleet")
            .restart()
            .about("the [fleet](fleet.md) to which this gateway belongs; the `gateway.yml` of the release in force is"
                    + " included in this file");

    static final Keys<LifecycleConfig> KEYS = Keys.of(LifecycleConfig::new, STALL, WATCH, GATE, FAULTS, HISTORY, FLEET);

    public static final LifecycleConfig DEFAULT = KEYS.defaults();

    /** Creates settings with the default gate, without faults, without a history and without a fleet. */
    public LifecycleConfig(StallConfig stall, Watch watch) {
        this(stall, watch, GateConfig.DEFAULT, FaultsConfig.OFF, null, null);
    }

    /** Returns these settings with other checks before a change takes effect. */
    public LifecycleConfig with(GateConfig other) {
        return new LifecycleConfig(stall, watch, other, faults, history, fleet);
    }

    /** Returns these settings with other faults. */
    public LifecycleConfig with(FaultsConfig others) {
        return new LifecycleConfig(stall, watch, gate, others, history, fleet);
    }
}
