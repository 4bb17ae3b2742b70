package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is said of filters for the gateway as a whole.
 *
 * @param directory where filters in source form lie; null = nowhere. A path of the file system, which a reader of files has
 *     resolved against the place of its file
 * @param global filters that run for every request, in this order where their own order is the same
 * @param guard what is done about filters that hold an event loop
 * @param trace which exchanges have what filters do to them noted down; default none
 * @param buildTimeout how long building the filters of the directory may take until the change is refused; default 30s
 */
public record FiltersConfig(
        @Nullable String directory,
        List<FilterConfig> global,
        FilterGuard guard,
        TraceConfig trace,
        Duration buildTimeout) {
    public static final Duration DEFAULT_BUILD_TIMEOUT = Duration.ofSeconds(30);

    /** Below it not even the compiler gets ready on a busy machine. */
    private static final Duration SHORTEST_BUILD = Duration.ofSeconds(1);

    private static final Duration LONGEST_BUILD = Duration.ofMinutes(10);

    /** No filters, no traces, and the default guard. */
    public static final FiltersConfig DEFAULT = new FiltersConfig(null, List.of(), FilterGuard.DEFAULT);

    public FiltersConfig {
        Expect.that(directory == null || !directory.isBlank(), "directory", String.valueOf(directory), "a path");
        global = Expect.copy(global);
        Expect.that(
                buildTimeout.compareTo(SHORTEST_BUILD) >= 0 && buildTimeout.compareTo(LONGEST_BUILD) <= 0,
                "build-timeout",
                Durations.print(buildTimeout),
                Durations.print(SHORTEST_BUILD) + " to " + Durations.print(LONGEST_BUILD));
    }

    /** Without traces, and with the default time for builds. */
    public FiltersConfig(@Nullable String directory, List<FilterConfig> global, FilterGuard guard) {
        this(directory, global, guard, TraceConfig.OFF, DEFAULT_BUILD_TIMEOUT);
    }

    /** Filters that run for every request, with every default. */
    public static FiltersConfig global(FilterConfig... filters) {
        return new FiltersConfig(null, List.of(filters), FilterGuard.DEFAULT);
    }
}
