package dev.lychgate.zuul;

import dev.lychgate.extension.AccompaniedFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.Filter;
import java.time.Duration;
import java.util.List;

/** The properties that all filters that run code written for Zuul have in common. */
abstract class FilterOfZuul implements AccompaniedFilter {
    private final Class<?> type;
    private final int order;
    private final ZuulSettings settings;
    private final List<Filter> companions;

    /** @param type the class with the code */
    FilterOfZuul(Class<?> type, int order, ZuulSettings settings, List<Filter> companions) {
        this.type = type;
        this.order = order;
        this.settings = settings;
        this.companions = companions;
    }

    @Override
    public String name() {
        return type.getSimpleName();
    }

    @Override
    public final int order() {
        return order;
    }

    @Override
    public final List<Filter> companions() {
        return companions;
    }

    @Override
    public final Class<?> definedIn() {
        return type;
    }

    @Override
    public final Duration timeout() {
        return settings.timeout();
    }

    final ZuulSettings settings() {
        return settings;
    }

    /**
     * Returns the body that the filter needs: the whole body, up to the configured limit, if {@code needed} is true; no
     * body if {@code needed} is false.
     */
    final BodyNeed wholeBodyIf(boolean needed) {
        return needed ? BodyNeed.whole(Math.toIntExact(settings.bodyLimit().bytes())) : BodyNeed.NONE;
    }
}
