package dev.lychgate.config;

/**
 * How the process runs and when it gives up; each part is a key of its own in the file.
 *
 * @param stall what happens when an event loop stands still
 * @param watch whether files that are saved take effect by themselves
 */
public record LifecycleConfig(StallConfig stall, Watch watch) {
    /** Whether the configuration and the filter directory are watched. */
    public enum Watch {
        /** A change takes effect when it has been saved. */
        ON,
        /** A change takes effect when a reload is asked for. */
        OFF
    }

    public static final LifecycleConfig DEFAULT = new LifecycleConfig(StallConfig.DEFAULT, Watch.ON);
}
