package dev.lychgate.config;

import static dev.lychgate.config.Key.duration;
import static dev.lychgate.config.Key.file;
import static dev.lychgate.config.Key.list;
import static dev.lychgate.config.Key.section;

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
    private static final Key<String> DIRECTORY = file("directory")
            .about("where [filters in Groovy](filters.md) lie, relative to this file; a file that is saved "
                    + "takes effect by itself, unless `watch` is `off`");

    private static final Key<List<FilterConfig>> GLOBAL = list("global", Form.FILTER)
            .about("filters that run for every request, in this order; see [filters](filters.md)");
    private static final Key<FilterGuard> GUARD = section("guard", FilterGuard.DEFAULT, FilterGuard::read)
            .about("what is done about filters that hold an event loop");
    private static final Key<TraceConfig> TRACE = section("trace", TraceConfig.OFF, TraceConfig::read)
            .about("which exchanges have [what filters do to them](filters.md#following-one-request) noted down");
    private static final Key<Duration> BUILD_TIMEOUT = duration("build-timeout", "30s")
            .between("1s", "10m")
            .about("how long building the filters of the directory may take until the change is refused");

    /** No filters, no traces, and the default guard. */
    public static final FiltersConfig DEFAULT = read(Key.DEFAULTS);

    public FiltersConfig {
        BUILD_TIMEOUT.check(buildTimeout);
        Expect.that(directory == null || !directory.isBlank(), "directory", String.valueOf(directory), "a path");
        global = Expect.copy(global);
    }

    /** Reads a section. */
    static FiltersConfig read(Key.Values values) {
        return new FiltersConfig(
                values.get(DIRECTORY),
                values.get(GLOBAL),
                values.get(GUARD),
                values.get(TRACE),
                values.get(BUILD_TIMEOUT));
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
