package com.netflix.zuul.filters;

/** A failure of a filter. */
public class FilterError {
    private final String filterName;
    private final String filterType;
    private final Throwable exception;

    public FilterError(String filterName, String filterType, Throwable exception) {
        this.filterName = filterName;
        this.filterType = filterType;
        this.exception = exception;
    }

    public String getFilterName() {
        return filterName;
    }

    public String getFilterType() {
        return filterType;
    }

    public Throwable getException() {
        return exception;
    }

    @Override
    public String toString() {
        return filterName + " (" + filterType + "): " + exception;
    }
}
