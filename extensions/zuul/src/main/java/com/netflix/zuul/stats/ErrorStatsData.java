package com.netflix.zuul.stats;

import java.util.concurrent.atomic.LongAdder;

/** The number of failures with the same route and the same cause. */
public class ErrorStatsData {
    private final String route;
    private final String cause;
    private final LongAdder count = new LongAdder();

    ErrorStatsData(String route, String cause) {
        this.route = route;
        this.cause = cause;
    }

    /** Counts a failure. */
    public void update() {
        count.increment();
    }

    public String getName() {
        return "errors_" + route + "_" + cause;
    }

    public long getCount() {
        return count.sum();
    }
}
