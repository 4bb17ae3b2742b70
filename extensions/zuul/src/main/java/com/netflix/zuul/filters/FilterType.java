package com.netflix.zuul.filters;

/** The phase of a filter of Zuul 2. */
public enum FilterType {
    /** Processes requests. */
    INBOUND("in"),
    /** Responds to requests. */
    ENDPOINT("end"),
    /** Processes responses. */
    OUTBOUND("out");

    private final String shortName;

    FilterType(String shortName) {
        this.shortName = shortName;
    }

    @Override
    public String toString() {
        return shortName;
    }
}
