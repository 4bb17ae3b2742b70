package com.netflix.zuul.stats.status;

/** A group of categories. */
public interface StatusCategoryGroup {
    int getId();

    /** Returns the name of the group. */
    String name();
}
