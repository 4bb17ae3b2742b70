package dev.lychgate.filters.builtin;

import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A synchronous built-in filter. Its settings determine its name and its order, and a function processes the exchanges.
 */
final class Builtin implements SyncFilter {
    private final String name;
    private final int order;
    private final FilterPhase phase;
    private final boolean respondsToPreflights;
    private final Predicate<FilterExchange> condition;
    private final Function<FilterExchange, FilterOutcome> work;

    /**
     * Creates a filter from its settings and its function.
     *
     * @param about a text that distinguishes the filter from other filters of its kind, for example the name of the
     *     header that it sets; may be empty
     */
    private Builtin(
            Settings settings,
            String about,
            FilterPhase phase,
            boolean respondsToPreflights,
            Predicate<FilterExchange> condition,
            Function<FilterExchange, FilterOutcome> work) {
        this.respondsToPreflights = respondsToPreflights;
        this.name = settings.name(about);
        this.order = settings.order();
        this.phase = phase;
        this.condition = condition;
        this.work = work;
    }

    /** Creates a filter that runs for all exchanges. */
    static Filter of(FilterPhase phase, Settings settings, String about, Function<FilterExchange, FilterOutcome> work) {
        return new Builtin(settings, about, phase, false, exchange -> true, work);
    }

    /** Creates a filter that changes the request or the response and lets the exchange continue. */
    static Filter changing(FilterPhase phase, Settings settings, String about, Consumer<FilterExchange> change) {
        return of(phase, settings, about, exchange -> {
            change.accept(exchange);
            return exchange.proceed();
        });
    }

    /** Creates a filter that runs for exchanges that match {@code condition}. */
    static Filter when(
            Predicate<FilterExchange> condition,
            FilterPhase phase,
            Settings settings,
            Function<FilterExchange, FilterOutcome> work) {
        return new Builtin(settings, "", phase, false, condition, work);
    }

    /** Creates an inbound filter that responds to the CORS preflights that match {@code condition}. */
    static Filter respondingToPreflights(
            Predicate<FilterExchange> condition, Settings settings, Function<FilterExchange, FilterOutcome> work) {
        return new Builtin(settings, "", FilterPhase.INBOUND, true, condition, work);
    }

    /**
     * Creates an inbound filter, which is the only filter of its entry in a list of filters. If the list has several
     * entries of the same kind, suffixes distinguish the names of their filters.
     */
    static List<Filter> inbound(Settings settings, Function<FilterExchange, FilterOutcome> work) {
        return List.of(of(FilterPhase.INBOUND, settings, "", work));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int order() {
        return order;
    }

    @Override
    public FilterPhase phase() {
        return phase;
    }

    @Override
    public boolean respondsToPreflights() {
        return respondsToPreflights;
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        return condition.test(exchange);
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        return work.apply(exchange);
    }

    /** Returns the class that declares the function of the filter. */
    @Override
    public Class<?> definedIn() {
        return work.getClass().getNestHost();
    }
}
