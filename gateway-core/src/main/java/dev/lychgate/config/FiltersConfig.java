package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The filter settings of the whole gateway. */
public record FiltersConfig(
        @Nullable String directory,
        @Nullable String libraries,
        List<FilterConfig> global,
        FilterGuard guard,
        FilterBudget budget,
        TraceConfig trace,
        Duration buildTimeout,
        Map<String, List<String>> properties,
        List<CallOutConfig> callOuts) {
    private static final Key<String> DIRECTORY = Key.file("directory")
            .about("the directory of [filters in Groovy](filters.md), relative to this file; a saved file "
                    + "takes effect automatically, unless `watch` is `off`");

    private static final Key<String> LIBRARIES = Key.file("libraries")
            .about(
                    "a directory of jars for the filters of `directory`, relative to this file; see [libraries](filter-libraries.md)");

    private static final Key<List<FilterConfig>> GLOBAL = Key.list("global", Form.FILTER)
            .about("the filters that run for every request, in this order; see [filters](filters.md)");
    private static final Key<FilterGuard> GUARD =
            Key.section("guard", FilterGuard.KEYS).about("the guard against filters that block an event loop");
    private static final Key<FilterBudget> BUDGET = Key.section("budget", FilterBudget.KEYS)
            .about("the [budget](filter-budgets.md) of each filter that declares no budget; built-in filters never "
                    + "have a budget");
    private static final Key<TraceConfig> TRACE = Key.section("trace", TraceConfig.KEYS)
            .about("the exchanges with [traced filters](filters.md#following-one-request)");
    private static final Key<Duration> BUILD_TIMEOUT = Key.duration("build-timeout", "30s")
            .between("1s", "10m")
            .about("the timeout for building the filters of the directory; if the build takes longer, the change is "
                    + "refused");

    private static final Key<Map<String, List<String>>> PROPERTIES = Key.typed(
                    "properties", Form.mapping(Form.oneOrList(Form.SCALAR), "name"), Map.of())
            .about(
                    "the [properties](filter-properties.md) of the filters in `directory`, which change while the filters stay loaded");

    private static final Key<List<CallOutConfig>> CALL_OUTS = Key.list(
                    "call-outs",
                    Form.section(CallOutConfig.KEYS)
                            .or(Form.text("URL", CallOutConfig::parse).looking(EndpointConfig.URL_FORM)))
            .called("list of URLs")
            .about(
                    "the origins outside the `upstreams` that filters may [call](call-outs.md#urls-outside-the-upstreams)");

    static final Keys<FiltersConfig> KEYS = Keys.of(
            FiltersConfig::new,
            DIRECTORY,
            LIBRARIES,
            GLOBAL,
            GUARD,
            BUDGET,
            TRACE,
            BUILD_TIMEOUT,
            PROPERTIES,
            CALL_OUTS);

    /** The default: no filters, no traces and the default guard. */
    public static final FiltersConfig DEFAULT = KEYS.defaults();

    public FiltersConfig {
        BUILD_TIMEOUT.check(buildTimeout);
        Expect.that(directory == null || !directory.isBlank(), "directory", String.valueOf(directory), "a path");
        Expect.that(libraries == null || !libraries.isBlank(), "libraries", String.valueOf(libraries), "a path");
        global = Expect.copy(global);
        properties = Expect.copy(properties);
        callOuts = Expect.copy(callOuts);
        Expect.that(
                callOuts.stream().map(CallOutConfig::url).distinct().count() == callOuts.size(),
                "call-outs",
                callOuts.stream().map(CallOutConfig::url).toList(),
                "each origin only once");
    }

    /** Creates settings without budgets and traces, and with the default build timeout. */
    public FiltersConfig(@Nullable String directory, List<FilterConfig> global, FilterGuard guard) {
        this(
                directory,
                null,
                global,
                guard,
                FilterBudget.INHERITED,
                TraceConfig.OFF,
                BUILD_TIMEOUT.otherwise(),
                Map.of(),
                List.of());
    }

    /** Returns these settings with other properties. */
    public FiltersConfig with(Map<String, List<String>> others) {
        return Copy.of(this, "properties", others);
    }

    /** Returns these settings with another directory. */
    public FiltersConfig in(String other) {
        return Copy.of(this, "directory", other);
    }

    /** Returns these settings with other origins for call-outs. */
    public FiltersConfig withCallOuts(List<CallOutConfig> others) {
        return Copy.of(this, "callOuts", others);
    }

    /** Creates settings with filters for every request, and with the defaults for all other components. */
    public static FiltersConfig global(FilterConfig... filters) {
        return new FiltersConfig(null, List.of(filters), FilterGuard.DEFAULT);
    }
}
