package dev.lychgate.chain;

import dev.lychgate.config.FilterBudget;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.loop.QuietPeriod;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A filter in its place in a generation. Its properties are read in advance. */
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
    private final @Nullable BudgetMeter budget;
    private final AtomicInteger strikes = new AtomicInteger();
    private final QuietPeriod failures = new QuietPeriod();
    private final QuietPeriod lingering = new QuietPeriod();
    private final FilterCalls calls = new FilterCalls();
    private volatile Ejection ejection = Ejection.NONE;
    private volatile boolean used;

    /** Degrees of the ejection of a filter. */
    public enum Ejection {
        /** The filter runs. */
        NONE,
        /** The condition of the filter is evaluated, but the filter does not run. */
        NOT_RUN,
        /**
         * Not even the condition of the filter is evaluated, because the condition is the slow part. The filter counts
         * as applying to every exchange.
         */
        NOT_ASKED
    }

    /**
     * @param inherited bounds that apply unless the filter declares its own
     * @throws IllegalArgumentException if the filter's settings can't be used
     */
    FilterSlot(Filter filter, FilterSet.@Nullable Use use, FilterStats stats, FilterBudget inherited, int loops) {
        this.filter = filter;
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
            // The filter's code is not the gateway's, so its exceptions are reported as failures of the filter.
            throw new IllegalArgumentException(
                    "filter class " + filter.getClass().getName() + " does not say how it is to be run: "
                            + e.getMessage(),
                    e);
        }
        if (name.isBlank()) {
            throw new IllegalArgumentException(filter.getClass().getName() + " has no name");
        }
        if (phase == FilterPhase.ERROR && bodyLimit > 0) {
            // The filter would wait for a body until its timeout expires.
            throw new IllegalArgumentException(
                    "filter " + name + " declares a body, but an error filter does not wait for one");
        }
        if (timeoutNanos <= 0) {
            throw new IllegalArgumentException(
                    "filter " + name + ": a timeout of " + filter.timeout() + " (expected: > 0)");
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

    /** Returns the current form: {@link #offload} changes it. Thread-safe. */
    public FilterForm form() {
        return form;
    }

    public String name() {
        return name;
    }

    /**
     * Returns the settings of the filter in the text form of the configuration, defaults included; empty if it declares
     * none.
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

    /** Returns the length of the longest body that is kept for the filter, in bytes; 0 if it needs none. */
    public int bodyLimit() {
        return bodyLimit;
    }

    /** Returns whether the filter reads the request as it was before filters changed it. */
    public boolean needsOriginalRequest() {
        return needsOriginalRequest;
    }

    /**
     * Returns the place of a thread in the code of the filter: in its own lines, its closures or its inner classes. If
     * the thread is in none of these, returns its place in other classes of the filter directory, such as a body
     * transform; null if it is in no such class. Generated methods have no line, so the place of their caller counts.
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

    /** Returns whether the class of a frame comes from the class loader of a filter that was loaded at run time. */
    private boolean isLoadedWithFilter(StackTraceElement frame) {
        ClassLoader loader = filter.definedIn().getClassLoader();
        return loader != null
                && loader != FilterSlot.class.getClassLoader()
                && loader.getName() != null
                && loader.getName().equals(frame.getClassLoaderName());
    }

    /** Describes a place by file and line. */
    public static String words(@Nullable StackTraceElement place) {
        if (place == null) {
            return "an unknown place";
        }
        return place.getLineNumber() > 0 ? place.getFileName() + ":" + place.getLineNumber() : "" + place.getFileName();
    }

    /** Describes a place in the filter; names its class if the place is unknown. */
    public String placeWords(@Nullable StackTraceElement place) {
        return place == null ? code : words(place);
    }

    /**
     * Returns whether a class belongs to the filter: its own class, one of its closures, or one of its inner classes.
     */
    public boolean isCodeOf(String className) {
        return className.startsWith(code)
                && (className.length() == code.length() || className.charAt(code.length()) == '$');
    }

    public FilterStats stats() {
        return stats;
    }

    /** Returns the budget; null if the filter has none. */
    public @Nullable BudgetMeter budget() {
        return budget;
    }

    /** Limits log lines about failures of the filter. */
    public QuietPeriod failures() {
        return failures;
    }

    /** Limits log lines about blocking calls that do not return. */
    public QuietPeriod lingering() {
        return lingering;
    }

    /** Returns the running calls of the filter, if it is a blocking filter. */
    public FilterCalls calls() {
        return calls;
    }

    /** Returns whether the filter no longer runs. If it fails closed, the exchanges to which it applies then fail. */
    public boolean isEjected() {
        return ejection != Ejection.NONE;
    }

    /** Returns whether an operator has disabled the filter, except on routes for which another state was requested. */
    public boolean isDisabled() {
        return isDisabled(null);
    }

    /** Returns the routes on which the filter is disabled although it runs elsewhere, in order. */
    public List<String> disabledRoutes() {
        return stats.changedRoutes().stream()
                .filter(route -> isDisabled(route) && !isDisabled())
                .toList();
    }

    /** Returns the routes on which the filter runs although it is disabled elsewhere, in order. */
    public List<String> enabledRoutes() {
        return stats.changedRoutes().stream()
                .filter(route -> !isDisabled(route) && isDisabled())
                .toList();
    }

    /**
     * Returns whether an operator has disabled the filter on a route, in this generation or in an earlier one. Exchanges continue
     * without it.
     *
     * @param route the id of the route; null before routing
     */
    public boolean isDisabled(@Nullable String route) {
        FilterStats.Wish wish = stats.wish(route);
        return wish != FilterStats.Wish.RUN && (!failClosed || wish == FilterStats.Wish.LEAVE_OUT_REGARDLESS);
    }

    /** Returns whether the condition of the filter is evaluated, whether or not the filter is ejected. */
    public boolean isStillAsked() {
        return ejection != Ejection.NOT_ASKED;
    }

    /**
     * Returns whether strikes eject the filter. Built-in filters are never ejected: their work for one message is
     * bounded, and clients must not be able to switch them off.
     */
    public boolean isEjectable() {
        return !code.startsWith(BUILTIN);
    }

    /** Returns whether a synchronous filter that blocks may run on other threads. */
    public boolean isOffloadable() {
        return movable && isEjectable() && form == FilterForm.SYNC;
    }

    /** Runs a synchronous filter like a blocking one from now on. Any thread. */
    public void offload() {
        form = FilterForm.BLOCKING;
    }

    /** Returns whether the filter is synchronous and runs like a blocking one. Thread-safe. */
    public boolean isOffloaded() {
        return movable && form == FilterForm.BLOCKING;
    }

    /** Ejects the filter, or enables it again. Any thread. */
    public void eject(Ejection how) {
        ejection = how;
    }

    /** Records the end of a run. The classes that the first run loads and links are loaded from then on. */
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
     * Counts a strike: the filter has blocked an event loop for too long. Any thread.
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
