package com.netflix.zuul;

import com.netflix.zuul.context.RequestContext;
import com.netflix.zuul.exception.ZuulException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs filters for the current request. The gateway itself runs the types {@code pre}, {@code route}, {@code post} and
 * {@code error}.
 */
public class FilterProcessor {
    private static volatile FilterProcessor instance = new FilterProcessor();

    private volatile @Nullable FilterUsageNotifier notifier;

    public static FilterProcessor getInstance() {
        return instance;
    }

    public static void setProcessor(FilterProcessor processor) {
        instance = processor;
    }

    /** Sets the receiver of the results. */
    public void setFilterUsageNotifier(FilterUsageNotifier receiver) {
        notifier = receiver;
    }

    /**
     * Runs all filters of a type.
     *
     * @return whether any filter has returned true
     */
    public Object runFilters(String sType) throws Throwable {
        boolean any = false;
        for (ZuulFilter filter : FilterLoader.getInstance().getFiltersByType(sType)) {
            any |= Boolean.TRUE.equals(processZuulFilter(filter));
        }
        return any;
    }

    /**
     * Runs a filter and records the run in the context.
     *
     * @return the value that the filter returned; null if it did not run
     * @throws ZuulException if the filter fails; wraps exceptions of other types
     */
    public @Nullable Object processZuulFilter(ZuulFilter filter) throws ZuulException {
        String name = filter.getClass().getSimpleName();
        RequestContext context = RequestContext.getCurrentContext();
        long begin = System.nanoTime();
        ZuulFilterResult result;
        try {
            result = filter.runFilter();
        } catch (Throwable e) {
            result = new ZuulFilterResult(ExecutionStatus.FAILED);
            result.setException(e);
        }
        if (result.getStatus() == ExecutionStatus.SUCCESS || result.getStatus() == ExecutionStatus.FAILED) {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            context.addFilterExecutionSummary(name, result.getStatus().name(), millis);
        }
        FilterUsageNotifier receiver = notifier;
        if (receiver != null) {
            receiver.notify(filter, result.getStatus());
        }
        Throwable thrown = result.getException();
        if (thrown == null) {
            return result.getResult();
        }
        if (thrown instanceof ZuulException known) {
            throw known;
        }
        throw new ZuulException(thrown, "Filter threw Exception", 500, filter.filterType() + ":" + name);
    }
}
