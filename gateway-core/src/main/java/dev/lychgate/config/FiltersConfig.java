package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is said of filters for the gateway as a whole.
 */
public record FiltersConfig(
        @Nullable String directory,
        List<FilterConfig> global,
        FilterGuard guard,
        TraceConfig trace,
        Duration buildTimeout) {
    private static final Key<String> DIRECTORY = Key.file("directory")
            .about("where [filters in Groovy](filters.md) lie, relative to this file; a file that is saved "
                    + "takes effect by itself, unless `watch` is `off`");

    private static final Key<List<FilterConfig>> GLOBAL = Key.list("global", Form.FILTER)
            .about("filters that run for every request, in this order; see [filters](filters.md)");
    private static final Key<FilterGuard> GUARD =
            Key.section("guard", FilterGuard.KEYS).about("what is done about filters that hold an event loop");
    private static final Key<TraceConfig> TRACE = Key.section("trace", TraceConfig.KEYS)
            .about("which exchanges have [what filters do to them](filters.md#following-one-request) noted down");
    private static final Key<Duration> BUILD_TIMEOUT = Key.duration("build-timeout", "30s")
            .between("1s", "10m")
            .about("how long building the filters of the directory may take until the change is refused");

    static final Keys<FiltersConfig> KEYS = Keys.of(FiltersConfig::new, DIRECTORY, GLOBAL, GUARD, TRACE, BUILD_TIMEOUT);

    /** No filters, no traces, and the default guard. */
    public static final FiltersConfig DEFAULT = KEYS.defaults();

    public FiltersConfig {
        BUILD_TIMEOUT.check(buildTimeout);
        Expect.that(directory == null || !directory.isBlank(), "directory", String.valueOf(directory), "a path");
        global = Expect.copy(global);
    }

    /** Without traces, and with the default time for builds. */
    public FiltersConfig(@Nullable String directory, List<FilterConfig> global, FilterGuard guard) {
        this(directory, global, guard, TraceConfig.OFF, BUILD_TIMEOUT.otherwise());
    }

    /** Filters that run for every request, with every default. */
    public static FiltersConfig global(FilterConfig... filters) {
        return new FiltersConfig(null, List.of(filters), FilterGuard.DEFAULT);
    }
}
