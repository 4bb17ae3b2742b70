package dev.lychgate.config;

/**
 * How the process runs and when it gives up; each part is a key of its own in the file.
 */
public record LifecycleConfig(StallConfig stall, Watch watch) {
    /** Whether the configuration and the filter directory are watched. */
    public enum Watch {
        /** A change takes effect when it has been saved. */
        ON,
        /** A change takes effect when a reload is asked for. */
        OFF
    }

    private static final Key<StallConfig> STALL = Key.section("stall", StallConfig.KEYS)
            .absent("as below")
            .about("what happens when an event loop [stands still](threads.md#loops-that-stand-still), such as "
                    + "in a filter that never returns");
    private static final Key<Watch> WATCH = Key.choice("watch", Watch.ON)
            .about("whether a file takes effect when it is saved: this one and those of the filter directory. "
                    + "With `off` a [reload](signals.md#reload) does. Certificates and keys that are written take "
                    + "effect either way");

    static final Keys<LifecycleConfig> KEYS = Keys.of(LifecycleConfig::new, STALL, WATCH);

    public static final LifecycleConfig DEFAULT = KEYS.defaults();
}
