package com.netflix.zuul.stats.status;

/** The category of a response. */
public interface StatusCategory {
    String getId();

    StatusCategoryGroup getGroup();

    /** Returns the name of the category. */
    String name();
}
