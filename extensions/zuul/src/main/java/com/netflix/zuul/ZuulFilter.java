package com.netflix.zuul;

import com.netflix.config.DynamicPropertyFactory;

/** The base class of filters. One object serves all requests concurrently. */
public abstract class ZuulFilter implements IZuulFilter, Comparable<ZuulFilter> {
    /**
     * Returns the type: {@code pre}, {@code route}, {@code post}, {@code error}, or a type that filters pass to {@link
     * FilterProcessor#runFilters}.
     */
    public abstract String filterType();

    /** Returns the order within the type: filters with a lower number run first. */
    public abstract int filterOrder();

    /** Returns whether the filter has no state. */
    public boolean isStaticFilter() {
        return true;
    }

    /** Returns the name of the property that disables the filter. */
    public String disablePropertyName() {
        return "zuul." + getClass().getSimpleName() + "." + filterType() + ".disable";
    }

    /** Returns whether the property disables the filter. */
    public boolean isFilterDisabled() {
        return DynamicPropertyFactory.getInstance()
                .getBooleanProperty(disablePropertyName(), false)
                .get();
    }

    /** Runs the filter for the current request, unless the filter is disabled or does not apply. */
    public ZuulFilterResult runFilter() {
        if (isFilterDisabled()) {
            return new ZuulFilterResult(ExecutionStatus.DISABLED);
        }
        if (!shouldFilter()) {
            return new ZuulFilterResult(ExecutionStatus.SKIPPED);
        }
        try {
            return new ZuulFilterResult(run(), ExecutionStatus.SUCCESS);
        } catch (Throwable e) {
            ZuulFilterResult failed = new ZuulFilterResult(ExecutionStatus.FAILED);
            failed.setException(e);
            return failed;
        }
    }

    @Override
    public int compareTo(ZuulFilter other) {
        return Integer.compare(filterOrder(), other.filterOrder());
    }
}
