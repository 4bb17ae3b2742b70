package dev.lychgate.server.admin;

import dev.lychgate.chain.BudgetMeter;
import dev.lychgate.chain.FilterChains.Placement;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.FilterStats;
import dev.lychgate.chain.FilterStats.Wish;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.FilterBudget;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filters.groovy.FilterLibrary;
import dev.lychgate.filters.groovy.IgnoredFile;
import dev.lychgate.filters.state.BoundedCache;
import dev.lychgate.filters.state.OwnProperty;
import dev.lychgate.filters.state.SharedState;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.explain.ExplanationJson;
import dev.lychgate.server.filters.FilterSight;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import dev.lychgate.server.json.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code /filters}: every filter with its position, its settings and its counters. An operator can disable and enable a
 * filter. A filter stays disabled until the process ends, even if a reload replaces it with another filter of the same
 * phase and name.
 *
 * <p>A filter that fails closed usually protects a resource, so an operator must explicitly confirm that it is to be
 * disabled. A filter that was disabled without this confirmation runs again when a reload makes it fail closed.
 */
final class FiltersPage {
    static final Parameter<FilterPhase> PHASE =
            Parameter.needed("phase", ExplanationJson.PHASE, "the phase of the filter");
    static final Parameter<String> NAME = Parameter.needed("name", "the name of the filter, as in /filters");
    static final Parameter<String> STATE =
            Parameter.needed("state", Json.words("disabled", "enabled"), "disabled or enabled");
    static final Parameter<String> FORCE =
            Parameter.optional("force", Json.words("true"), "true also disables a filter that fails closed");
    static final Parameter<String> ROUTE =
            Parameter.optional("route", "the id of the only route on which this takes effect; default all");

    /**
     * @param libraries jars that the filters use; null if the page does not list them
     * @param ignored files of the filter directory that are not used; null if the page does not list them
     * @param state the state of filters that outlives their generations
     */
    record Shown(
            Generation generation,
            List<Placement> filters,
            @Nullable List<FilterLibrary> libraries,
            @Nullable List<IgnoredFile> ignored,
            List<SharedState.Entry> state) {}

    private static final JsonType<Boolean> ON_FAILURE =
            Json.words(new Boolean[] {true, false}, closed -> closed ? "fail-closed" : "fail-open");

    private static final JsonType<FilterBudget.Over> OVER = Json.words(FilterBudget.Over.values());

    private static final Shape<FilterStats> STATS = new Shape<FilterStats>("FilterStats")
            .integer("runs", "The number of calls.", FilterStats::runs)
            .integer("micros", "The total duration of all calls in microseconds.", stats -> stats.nanos() / 1000)
            .integer("failures", "Calls that failed.", FilterStats::failures)
            .integer("timeouts", "Calls that exceeded their timeout.", FilterStats::timeouts)
            .integer("skipped", "Exchanges that continued without the filter.", FilterStats::skipped)
            .integer(
                    "refused",
                    "Exchanges that exceeded the filter's limit of concurrent exchanges.",
                    stats -> stats.refused())
            .integer("over_budget", "Windows in which the filter exceeded its budget.", FilterStats::windowsOverBudget)
            .integer(
                    "lingering",
                    "Blocking calls that were abandoned and still occupy their threads.",
                    FilterStats::lingering);

    private static final Shape<BudgetMeter> BUDGET = new Shape<BudgetMeter>("FilterBudget")
            .optional(
                    "cpu_us",
                    Json.INTEGER,
                    "The maximum mean CPU time of a run.",
                    of -> micros(of.budget().cpu()))
            .optional(
                    "allocation",
                    Json.INTEGER,
                    "The maximum mean number of bytes that a run allocates.",
                    of -> bytes(of.budget().allocation()))
            .optional(
                    "time_us",
                    Json.INTEGER,
                    "The maximum mean duration of a run.",
                    of -> micros(of.budget().time()))
            .optional(
                    "concurrency",
                    Json.INTEGER,
                    "The maximum number of exchanges at once.",
                    of -> of.budget().concurrency() == null
                            ? null
                            : (long) of.budget().concurrency())
            .field(
                    "over",
                    OVER,
                    "The reaction if the filter exceeds the budget.",
                    of -> of.budget().action())
            .integer(
                    "mean_cpu_us",
                    "Mean CPU time of a run in the latest window.",
                    of -> of.means().cpuNanos() / 1000)
            .integer(
                    "mean_allocation",
                    "Mean number of bytes that a run allocated in the latest window.",
                    of -> of.means().bytes())
            .integer(
                    "mean_time_us",
                    "Mean duration of a run in the latest window.",
                    of -> of.means().nanos() / 1000)
            .integer("strikes", "Consecutive windows in which the filter exceeded the budget.", BudgetMeter::strikes)
            .flag("limited", "Whether only one exchange at a time is admitted.", BudgetMeter::isLimited);

    private static final Shape<FilterSlot> SLOT = new Shape<FilterSlot>("FilterSlot")
            .field("on_failure", ON_FAILURE, "Whether the exchange fails if the filter fails.", FilterSlot::failsClosed)
            .integer("timeout_ms", "How long a call may take.", slot -> slot.timeoutNanos() / 1_000_000)
            .flag("ejected", "Whether the filter is ejected because it failed.", FilterSlot::isEjected)
            .flag("disabled", "Whether an operator disabled the filter.", FilterSlot::isDisabled)
            .optional(
                    "disabled_on",
                    Json.list(Json.TEXT),
                    "The routes on which the filter is disabled although it is enabled by default.",
                    slot -> some(slot.disabledRoutes()))
            .optional(
                    "enabled_on",
                    Json.list(Json.TEXT),
                    "The routes on which the filter is enabled although it is disabled by default.",
                    slot -> some(slot.enabledRoutes()))
            .flag(
                    "offloaded",
                    "Whether the filter is synchronous but runs on a thread for blocking filters.",
                    FilterSlot::isOffloaded)
            .integer("strikes", "Strikes against the filter in this generation.", FilterSlot::strikes)
            .optional("budget", BUDGET, "The budget of the filter, if the filter has one.", FilterSlot::budget)
            .include(STATS, FilterSlot::stats);

    private static final Shape<Placement> FILTER = new Shape<Placement>("Filter")
            .include(ExplanationJson.FILTER, placement -> new FilterSight(placement.slot(), false))
            .flag("global", "Whether the filter runs on all routes.", Placement::global)
            .list("routes", Json.TEXT, "The ids of the routes on which the filter runs.", Placement::routes)
            .optional(
                    "settings",
                    Json.map(Json.TEXT),
                    "The settings as in a configuration file, if the filter declares any.",
                    placement -> settings(placement.slot()))
            .include(SLOT, Placement::slot);

    private static final Shape<IgnoredFile> IGNORED = new Shape<IgnoredFile>("IgnoredFile")
            .text("file", "The path of the file below the filter directory.", IgnoredFile::file)
            .text("reason", "The reason why the file is not used.", IgnoredFile::reason);

    private static final Shape<FilterLibrary> LIBRARY = new Shape<FilterLibrary>("FilterLibrary")
            .text("file", "The path of the file below the filter directory.", FilterLibrary::path)
            .text("digest", "The SHA-256 of the file.", library -> library.jar().digest())
            .optional(
                    "version",
                    Json.TEXT,
                    "The version in the manifest, if the manifest has one.",
                    library -> library.jar().version());
    private static final Shape<SharedState.Entry> STATE_ENTRY = new Shape<SharedState.Entry>("FilterState")
            .text("file", "The file of the filter, below the filter directory.", SharedState.Entry::file)
            .text("name", "The name of the state in that file.", SharedState.Entry::name)
            .text("type", "The class of the object, or the bounds of the cache.", SharedState.Entry::type)
            .text("place", "The first line that declares the state.", SharedState.Entry::place)
            .optional(
                    "size", Json.INTEGER, "The number of elements, if the state has elements.", SharedState.Entry::size)
            .optional(
                    "hits", Json.INTEGER, "Lookups of a cache that found a value.", of -> stats(of, BoundedCache::hits))
            .optional(
                    "misses",
                    Json.INTEGER,
                    "Lookups of a cache that found no value.",
                    of -> stats(of, BoundedCache::misses))
            .optional(
                    "evictions",
                    Json.INTEGER,
                    "Entries that a cache dropped.",
                    of -> stats(of, BoundedCache::evictions));

    private static final Shape<OwnProperty<?>> PROPERTY = new Shape<OwnProperty<?>>("FilterProperty")
            .text("name", "The key below filters.properties.", OwnProperty::getName)
            .text("value", "The latest value.", of -> String.valueOf(of.get()))
            .text("type", "The accepted values.", OwnProperty::type)
            .text(
                    "default",
                    "The value if the configuration does not set the property.",
                    of -> String.valueOf(of.otherwise()))
            .text(
                    "file",
                    "The file of the filter that reads the property, below the filter directory.",
                    OwnProperty::file)
            .text("place", "The line that declares the property.", OwnProperty::place);

    static final Shape<Shown> SHAPE = new Shape<Shown>("Filters", "The filters in use, with their counters.")
            .integer("generation", "The number of the generation.", shown -> shown.generation.number())
            .list("filters", FILTER, "Each filter once.", Shown::filters)
            .optional("libraries", Json.list(LIBRARY), "The jars that the filters use.", Shown::libraries)
            .optional("ignored", Json.list(IGNORED), "Files that look like code and are not used.", Shown::ignored)
            .list(
                    "properties",
                    PROPERTY,
                    "The properties that the filters read.",
                    shown -> properties(shown.generation))
            .list("state", STATE_ENTRY, "State of filters that outlives their generations.", Shown::state);

    private FiltersPage() {}

    private static List<OwnProperty<?>> properties(Generation generation) {
        List<OwnProperty<?>> all = new ArrayList<>();
        generation.filterSet().properties().values().keySet().forEach(each -> {
            if (each instanceof OwnProperty<?> own) {
                all.add(own);
            }
        });
        all.sort(Comparator.<OwnProperty<?>, String>comparing(OwnProperty::getName)
                .thenComparing(OwnProperty::place));
        return all;
    }

    private static @Nullable Long micros(@Nullable Duration of) {
        return of == null ? null : Long.valueOf(of.toNanos() / 1000);
    }

    private static @Nullable Long bytes(@Nullable ByteSize of) {
        return of == null ? null : Long.valueOf(of.bytes());
    }

    private static @Nullable Long stats(SharedState.Entry of, ToLongFunction<BoundedCache<?>> figure) {
        return of.value() instanceof BoundedCache<?> cache ? Long.valueOf(figure.applyAsLong(cache)) : null;
    }

    private static @Nullable Map<String, String> settings(FilterSlot slot) {
        return slot.settings().isEmpty() ? null : slot.settings();
    }

    private static @Nullable List<String> some(List<String> routes) {
        return routes.isEmpty() ? null : routes;
    }

    static Shown of(Generation generation, @Nullable Generations generations) {
        return new Shown(
                generation,
                List.copyOf(generation.filters().placements()),
                generations == null ? List.of() : generations.libraries(),
                generations == null ? List.of() : generations.ignored(),
                generations == null ? List.of() : generations.alive().state().all());
    }

    /**
     * Disables or enables a filter, and returns its state. Rejects the request with 404 if there is no such filter, and
     * with 409 if a confirmation is missing.
     */
    static Shown change(Generation generation, Parameters given) throws Rejection {
        boolean forced = given.optional(FORCE) != null;
        boolean out = given.needed(STATE).equals("disabled");
        List<Placement> meant = generation.filters().placements().stream()
                .filter(placement -> isMeant(placement.slot(), given))
                .toList();
        if (meant.isEmpty()) {
            throw Rejection.notFound("unknown filter; see /filters");
        }
        if (out && meant.stream().anyMatch(one -> one.slot().isGuard())) {
            throw Rejection.conflict(
                    "this filter authenticates or authorizes requests, so it can't be disabled here; change the key"
                            + " authenticate or authorize in the configuration");
        }
        if (out && !forced && meant.stream().anyMatch(one -> one.slot().failsClosed())) {
            throw Rejection.conflict("this filter fails closed: without it, exchanges continue"
                    + " unprotected; force=true disables the filter nevertheless");
        }
        Wish wish = !out ? Wish.RUN : forced ? Wish.LEAVE_OUT_REGARDLESS : Wish.LEAVE_OUT;
        String route = given.optional(ROUTE);
        if (route == null) {
            meant.forEach(one -> one.slot().stats().wish(wish));
            return new Shown(generation, meant, null, null, List.of());
        }
        if (generation.route(route) == null) {
            throw Rejection.notFound("unknown route; see /routes");
        }
        if (meant.stream().allMatch(one -> one.slot().phase() == FilterPhase.INBOUND && one.global())) {
            throw Rejection.conflict(
                    "a global inbound filter runs before the gateway selects a route, so it can't be disabled on one"
                            + " route; to disable it on all routes, omit the parameter route");
        }
        meant = meant.stream()
                .filter(one -> one.global() || one.routes().contains(route))
                .toList();
        if (meant.isEmpty()) {
            throw Rejection.notFound("this filter does not run on this route; see /filters");
        }
        meant.forEach(one -> one.slot().stats().wish(route, wish));
        return new Shown(generation, meant, null, null, List.of());
    }

    private static boolean isMeant(FilterSlot slot, Parameters given) {
        return slot.phase() == given.needed(PHASE) && slot.name().equals(given.needed(NAME));
    }
}
