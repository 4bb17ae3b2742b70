package com.netflix.zuul.stats.status;

/** The groups of categories. */
public enum ZuulStatusCategoryGroup implements StatusCategoryGroup {
    /** The exchange was successful. */
    SUCCESS(1),
    /** The exchange has failed. */
    FAILURE(2);

    private final int id;

    ZuulStatusCategoryGroup(int id) {
        this.id = id;
    }

    @Override
    public int getId() {
        return id;
    }
}
