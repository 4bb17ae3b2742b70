package com.netflix.zuul;

/** Receives the result of each run of a filter. */
public interface FilterUsageNotifier {
    void notify(ZuulFilter filter, ExecutionStatus status);
}
