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

/** A filter in its place in a generation, with its properties read in advance. */
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

    /** How far a filter is out. */
    public enum Ejection {
        /** It runs. */
        NONE,
        /** Its condition is evaluated, but the filter does not run. */
        NOT_RUN,
        /**
         * Its condition is not evaluated either, because the condition is the slow part: the filter counts as applying to every
         * exchange.
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
            // Foreign code: its exceptions are reported as failures of the filter, and not of the gateway.
            throw new IllegalArgumentException(
                    "filter class " + filter.getClass().getName() + " does not say how it is to be run: "
                            + e.getMessage(),
                    e);
        }
        if (name.isBlank()) {
            throw new IllegalArgumentException(filter.getClass().getName() + " has no name");
        }
        if (phase == FilterPhase.ERROR && bodyLimit > 0) {
            // It would wait for one until its time is over.
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

    /** Its settings as a file has them, defaults included; empty if it declares none. */
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

    /** Whether a failure of the filter fails the exchange. */
    public boolean failsClosed() {
        return failClosed;
    }

    /** The longest body kept for the filter, in bytes; 0 if it needs none. */
    public int bodyLimit() {
        return bodyLimit;
    }

    /** Returns whether the filter reads the request as it was before filters changed it. */
    public boolean needsOriginalRequest() {
        return needsOriginalRequest;
    }

    /**
     * Returns where in the filter's own lines, its closures or its inner classes a thread is; if it is in none of them, where it
     * is in other classes of the filter directory, such as a body transform; null if it is in none of those either. Generated
     * methods have no line, so that a caller's place counts.
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

    /** Returns whether a class is from the loader of a filter that was loaded at run time. */
    private boolean isLoadedWithFilter(StackTraceElement frame) {
        ClassLoader loader = filter.definedIn().getClassLoader();
        return loader != null
                && loader != FilterSlot.class.getClassLoader()
                && loader.getName() != null
                && loader.getName().equals(frame.getClassLoaderName());
    }

    /** A place in words: file and line. */
    public static String words(@Nullable StackTraceElement place) {
        if (place == null) {
            return "an unknown place";
        }
        return place.getLineNumber() > 0 ? place.getFileName() + ":" + place.getLineNumber() : "" + place.getFileName();
    }

    /** Returns a place of the filter in words; its class if the place is unknown. */
    public String placeWords(@Nullable StackTraceElement place) {
        return place == null ? code : words(place);
    }

    /** Whether a class is the filter's: its own, or one of its closures or inner classes. */
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

    /** Returns its running calls, if it is a blocking filter. */
    public FilterCalls calls() {
        return calls;
    }

    /** Returns whether the filter no longer runs; one that fails closed then fails the exchanges that it applies to. */
    public boolean isEjected() {
        return ejection != Ejection.NONE;
    }

    /** Returns whether an operator has disabled the filter where no other state was requested for a route. */
    public boolean isDisabled() {
        return isDisabled(null);
    }

    /** Returns the routes on which the filter is disabled although it is not elsewhere, in order. */
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

    /** Returns whether the condition of the filter is evaluated, ejected or not. */
    public boolean isStillAsked() {
        return ejection != Ejection.NOT_ASKED;
    }

    /** Whether strikes eject the filter. What a built-in filter does for one message is bounded, and no client may switch it off. */
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

    /** Records the end of a run: classes that the first run loads and links are loaded now. */
    public void ran() {
        if (!used) {
            used = true;
        }
    }

    /** Whether no run has ended yet. */
    public boolean isNew() {
        return !used;
    }

    /** Counts a time the filter has held an event loop for too long. From any thread. @return how many these are now */
    public int strike() {
        stats.struck();
        return strikes.incrementAndGet();
    }

    /** How often the filter has held an event loop for too long in this generation. */
    public int strikes() {
        return strikes.get();
    }

    @Override
    public String toString() {
        return phase.name().toLowerCase(Locale.ROOT) + " filter " + name;
    }
}
