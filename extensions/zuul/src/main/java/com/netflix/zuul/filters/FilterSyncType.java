package com.netflix.zuul.filters;

/** The time at which a filter of Zuul 2 returns its result. */
public enum FilterSyncType {
    /** The filter returns its result immediately. */
    SYNC,
    /** The filter completes its result later. */
    ASYNC
}
