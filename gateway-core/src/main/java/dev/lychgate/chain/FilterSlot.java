package dev.lychgate.chain;

import dev.lychgate.config.FilterBudget;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.loop.QuietPeriod;
import dev.lychgate.loop.QuietPeriods;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A filter in one generation, with its counters and its ejection state. The constructor reads the filter's properties
 * once.
 */
public final class FilterSlot {
    private static final String BUILTIN = "dev.lychgate.filters.builtin.";

    private final Filter filter;
    private final FilterPhase phase;
    private volatile FilterForm form;
    private final String name;
    private final Map<String, String> settings;
    private final int order;
    private final long timeoutNanos;
    private final boolean failClosed;
    private final int bodyLimit;
    private final boolean movable;
    private final boolean needsOriginalRequest;
    private final String code;
    private final FilterStats stats;
    private final boolean guards;
    private final @Nullable BudgetMeter budget;
    private final AtomicInteger strikes = new AtomicInteger();
    private final QuietPeriods failures = new QuietPeriods();
    private final QuietPeriod lingering = new QuietPeriod();
    private final FilterCalls calls = new FilterCalls();
    private volatile Ejection ejection = Ejection.NONE;
    private volatile boolean used;

    /**
     * The ejection state of a filter: whether the filter still runs, and whether its condition {@link Filter#applies}
     * is still evaluated.
     */
    public enum Ejection {
        /** The filter runs. */
        NONE,
        /** The condition of the filter is evaluated, but the filter does not run. */
        NOT_RUN,
        /**
         * Neither the condition nor the filter runs, because the condition has blocked event loops. Every exchange is
         * handled as if the condition were true and the filter were ejected.
         */
        NOT_ASKED
    }

    /**
     * Reads the properties of the filter.
     *
     * @param inherited the bounds that apply unless the filter declares its own bounds
     * @throws IllegalArgumentException if a property of the filter is null or invalid, or if the method that returns
     *         the property throws
     */
    FilterSlot(Filter filter, FilterSet.@Nullable Use use, FilterStats stats, FilterBudget inherited, int loops) {
        this(filter, use, stats, inherited, loops, false);
    }

    /**
     * Reads the properties of a filter that may authenticate or authorize requests.
     *
     * @param guards whether the filter authenticates or authorizes requests, so that it always runs
     */
    FilterSlot(
            Filter filter,
            FilterSet.@Nullable Use use,
            FilterStats stats,
            FilterBudget inherited,
            int loops,
            boolean guards) {
        this.filter = filter;
        this.guards = guards;
        this.settings = use == null ? Map.of() : use.settings();
        this.stats = stats;
        this.form = FilterForm.of(filter);
        try {
            this.phase = said(filter.phase(), "phase()");
            this.name = use == null ? said(filter.name(), "name()") : use.name();
            this.order = filter.order();
            this.timeoutNanos = said(filter.timeout(), "timeout()").toNanos();
            this.failClosed = said(filter.onFailure(), "onFailure()") == FailurePolicy.FAIL_CLOSED;
            this.bodyLimit = said(filter.body(), "body()").limit();
            this.movable = form == FilterForm.SYNC && filter.offload();
            this.needsOriginalRequest = filter.needsOriginalRequest();
            this.code = said(filter.definedIn(), "definedIn()").getName();
            FilterBudget own = said(filter.budget(), "budget()");
            if (form == FilterForm.BLOCKING && own.isMeasured()) {
                throw new IllegalArgumentException(BudgetMeter.NOT_MEASURED);
            }
            this.budget = isEjectable() ? BudgetMeter.of(own.or(inherited), form, loops) : null;
        } catch (RuntimeException e) {
            // These methods are code of the filter, so their exceptions are reported as errors of the filter.
            throw new IllegalArgumentException(
                    "filter class " + filter.getClass().getName() + " has an invalid property: " + e.getMessage(), e);
        }
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "filter class " + filter.getClass().getName() + " has no name");
        }
        if (phase == FilterPhase.ERROR && bodyLimit > 0) {
            // No body is read for an error filter, so the filter would wait until its timeout expires.
            throw new IllegalArgumentException(
                    "filter " + name + " declares a body, but the gateway reads no body for an error filter");
        }
        if (timeoutNanos <= 0) {
            throw new IllegalArgumentException(
                    "filter " + name + ": timeout() returned " + filter.timeout() + " (expected: > 0)");
        }
    }

    private static <T> T said(@Nullable T setting, String method) {
        if (setting == null) {
            throw new IllegalArgumentException(method + " returned null");
        }
        return setting;
    }

    public Filter filter() {
        return filter;
    }

    public FilterPhase phase() {
        return phase;
    }

    /** Returns the current form, which {@link #offload} changes. Thread-safe. */
    public FilterForm form() {
        return form;
    }

    public String name() {
        return name;
    }

    /**
     * Returns the settings of the filter as in the configuration file, including defaults; empty if the filter declares
     * no settings.
     */
    public Map<String, String> settings() {
        return settings;
    }

    public int order() {
        return order;
    }

    /** Returns the timeout of an asynchronous or blocking run, in nanoseconds. */
    public long timeoutNanos() {
        return timeoutNanos;
    }

    /** Returns whether a failure of the filter fails the exchange. */
    public boolean failsClosed() {
        return failClosed;
    }

    /** Returns the length of the longest body that is kept for the filter, in bytes; 0 if the filter needs no body. */
    public int bodyLimit() {
        return bodyLimit;
    }

    /** Returns whether the filter reads the original request, as it was before filters changed it. */
    public boolean needsOriginalRequest() {
        return needsOriginalRequest;
    }

    /**
     * Returns the stack frame that best shows the position in the filter; null if there is none. The result is the
     * first of the following frames that exists in {@code stack}:
     *
     * <ol>
     *   <li>the innermost frame with a line number in the filter's class, closures or inner classes; generated methods
     *       have no line numbers
     *   <li>the innermost frame with a line number in another class of the filter directory, such as a body transform
     *   <li>a frame of the filter without a line number
     * </ol>
     */
    public @Nullable StackTraceElement placeIn(StackTraceElement[] stack) {
        StackTraceElement withoutLine = null;
        StackTraceElement near = null;
        for (StackTraceElement frame : stack) {
            boolean hasLine = frame.getLineNumber() > 0;
            if (isCodeOf(frame.getClassName())) {
                if (hasLine) {
                    return frame;
                }
                withoutLine = frame;
            } else if (near == null && hasLine && isLoadedWithFilter(frame)) {
                near = frame;
            }
        }
        return near == null ? withoutLine : near;
    }

    /**
     * Returns whether the filter has a separate class loader, and that loader also loaded the class of {@code frame}.
     */
    private boolean isLoadedWithFilter(StackTraceElement frame) {
        ClassLoader loader = filter.definedIn().getClassLoader();
        return loader != null
                && loader != FilterSlot.class.getClassLoader()
                && loader.getName() != null
                && loader.getName().equals(frame.getClassLoaderName());
    }

    /** Describes a stack frame by file and line. */
    public static String words(@Nullable StackTraceElement place) {
        if (place == null) {
            return "an unknown position";
        }
        return place.getLineNumber() > 0 ? place.getFileName() + ":" + place.getLineNumber() : "" + place.getFileName();
    }

    /** Describes a stack frame in the filter; returns the name of the filter's class if {@code place} is null. */
    public String placeWords(@Nullable StackTraceElement place) {
        return place == null ? code : words(place);
    }

    /** Returns whether a class is the class of the filter, one of its closures, or one of its inner classes. */
    public boolean isCodeOf(String className) {
        return className.startsWith(code)
                && (className.length() == code.length() || className.charAt(code.length()) == '$');
    }

    public FilterStats stats() {
        return stats;
    }

    /** Returns the meter of the filter's budget; null if the filter has no budget or can't be ejected. */
    public @Nullable BudgetMeter budget() {
        return budget;
    }

    /**
     * Returns the rate limit of log lines about failures of the filter. Each exception class is a separate {@linkplain
     * QuietPeriods kind} of failure.
     */
    public QuietPeriods failures() {
        return failures;
    }

    /** Returns the rate limit of log lines about blocking calls that do not return. */
    public QuietPeriod lingering() {
        return lingering;
    }

    /**
     * Returns the bulkhead for the filter's calls on threads that may block; unused while the filter runs on event
     * loops.
     */
    public FilterCalls calls() {
        return calls;
    }

    /**
     * Returns whether the filter is ejected and therefore does not run. If an ejected filter fails closed, the
     * exchanges to which it applies fail.
     */
    public boolean isEjected() {
        return ejection != Ejection.NONE;
    }

    /**
     * Returns whether an operator has disabled the filter. This state applies to all routes for which the operator has
     * requested no separate state.
     */
    public boolean isDisabled() {
        return isDisabled(null);
    }

    /** Returns the ids of the routes on which an operator has separately disabled the filter, sorted. */
    public List<String> disabledRoutes() {
        return stats.changedRoutes().stream()
                .filter(route -> isDisabled(route) && !isDisabled())
                .toList();
    }

    /** Returns the ids of the routes on which an operator has separately enabled the filter, sorted. */
    public List<String> enabledRoutes() {
        return stats.changedRoutes().stream()
                .filter(route -> !isDisabled(route) && isDisabled())
                .toList();
    }

    /**
     * Returns whether an operator has disabled the filter on a route, in this generation or in an earlier one.
     * Exchanges skip a disabled filter.
     *
     * @param route the id of the route; null before routing
     */
    public boolean isDisabled(@Nullable String route) {
        if (guards) {
            return false;
        }
        FilterStats.Wish wish = stats.wish(route);
        return wish != FilterStats.Wish.RUN && (!failClosed || wish == FilterStats.Wish.LEAVE_OUT_REGARDLESS);
    }

    /**
     * Returns whether the condition of the filter is evaluated. The condition may still be evaluated if the filter is
     * ejected.
     */
    public boolean isStillAsked() {
        return ejection != Ejection.NOT_ASKED;
    }

    /**
     * Returns whether the filter authenticates or authorizes requests. Such a filter always runs: operators cannot
     * disable it.
     */
    public boolean isGuard() {
        return guards;
    }

    /**
     * Returns whether strikes can eject the filter. Filters that authenticate or authorize requests, and built-in
     * filters, are never ejected. Otherwise, clients could disable them by sending requests. Built-in filters need no
     * ejection, because their work for one message is bounded.
     */
    public boolean isEjectable() {
        return !guards && !code.startsWith(BUILTIN);
    }

    /** Returns whether the filter is synchronous and {@link #offload} is permitted. */
    public boolean isOffloadable() {
        return movable && isEjectable() && form == FilterForm.SYNC;
    }

    /** Makes this synchronous filter run like a blocking filter from now on. Thread-safe. */
    public void offload() {
        form = FilterForm.BLOCKING;
    }

    /** Returns whether {@link #offload} was called on this filter. Thread-safe. */
    public boolean isOffloaded() {
        return movable && form == FilterForm.BLOCKING;
    }

    /** Sets the ejection state of the filter. Thread-safe. */
    public void eject(Ejection how) {
        ejection = how;
    }

    /** Records that a run has ended. The first run loads and links classes, so later runs are faster. */
    public void ran() {
        if (!used) {
            used = true;
        }
    }

    /** Returns whether no run has ended yet. */
    public boolean isNew() {
        return !used;
    }

    /**
     * Counts a strike, because the filter has blocked an event loop for too long. Thread-safe.
     *
     * @return the number of strikes in this generation
     */
    public int strike() {
        stats.struck();
        return strikes.incrementAndGet();
    }

    /** Returns how often the filter has blocked an event loop for too long in this generation. */
    public int strikes() {
        return strikes.get();
    }

    @Override
    public String toString() {
        return phase.name().toLowerCase(Locale.ROOT) + " filter " + name;
    }
}
