package com.netflix.zuul;

import com.netflix.zuul.filters.FilterSyncType;
import com.netflix.zuul.filters.FilterType;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Declares the order and the type of a filter. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Filter {
    /** Returns the order within the type: filters with a lower number run first. */
    int order();

    /** Returns the phase of the filter. */
    FilterType type() default FilterType.INBOUND;

    /** Returns whether the filter returns its result immediately. */
    FilterSyncType sync() default FilterSyncType.SYNC;
}
