package dev.lychgate.zuul;

import com.netflix.zuul.context.SessionContext;
import com.netflix.zuul.filters.BaseFilter;
import com.netflix.zuul.filters.FilterError;
import com.netflix.zuul.filters.SyncZuulFilter;
import com.netflix.zuul.filters.ZuulFilter;
import com.netflix.zuul.message.ZuulMessage;
import dev.lychgate.zuul.bound.BoundGeneration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import rx.Observable;

/** The code of a filter of Zuul 2. */
final class MessageCode {
    private final ZuulFilter<ZuulMessage, ZuulMessage> filter;
    private final BoundGeneration generation;

    MessageCode(ZuulFilter<ZuulMessage, ZuulMessage> filter, BoundGeneration generation) {
        this.filter = filter;
        this.generation = generation;
    }

    Class<?> type() {
        return filter.getClass();
    }

    String name() {
        return type().getSimpleName();
    }

    /** Returns the names by which other filters can choose this filter. */
    Set<String> names() {
        return Set.copyOf(List.of(name(), type().getName(), filter.filterName()));
    }

    ZuulFilter<ZuulMessage, ZuulMessage> filter() {
        return filter;
    }

    /** Returns whether the class of the filter, or a base class in a file, declares a method. */
    boolean declares(String method) {
        return Arrays.stream(type().getMethods())
                .anyMatch(each -> each.getName().equals(method)
                        && each.getDeclaringClass().getClassLoader() != BaseFilter.class.getClassLoader());
    }

    /** Returns whether the filter needs the whole body of a message. */
    boolean needsBody(ZuulMessage message) {
        BoundGeneration before = BoundGeneration.bind(generation);
        try {
            return runs(message) && filter.needsBodyBuffered(message);
        } finally {
            BoundGeneration.bind(before);
        }
    }

    private boolean runs(ZuulMessage message) {
        boolean stopped = message.getContext().shouldStopFilterProcessing() && !filter.overrideStopFilterProcessing();
        return !stopped && !filter.isDisabled() && filter.shouldFilter(message);
    }

    /**
     * Runs the filter for a message, unless the filter is disabled or does not apply. An asynchronous filter blocks the
     * thread until the filter emits its first item.
     *
     * @return the result; null if the filter did not run
     */
    @Nullable
    ZuulMessage run(ZuulMessage message) throws Exception {
        SessionContext context = message.getContext();
        BoundGeneration before = BoundGeneration.bind(generation);
        long begin = System.nanoTime();
        String status = "SUCCESS";
        try {
            if (!runs(message)) {
                return null;
            }
            ZuulMessage result = filter instanceof SyncZuulFilter<ZuulMessage, ZuulMessage> sync
                    ? sync.apply(message)
                    : first(filter.applyAsync(message));
            return result == null ? message : result;
        } catch (Throwable e) {
            status = "FAILED";
            context.setError(e);
            context.getFilterErrors().add(new FilterError(filter.filterName(), String.valueOf(filter.filterType()), e));
            throw e;
        } finally {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            context.addFilterExecutionSummary(name(), status, millis);
            BoundGeneration.bind(before);
        }
    }

    private static @Nullable ZuulMessage first(@Nullable Observable<ZuulMessage> later) {
        return later == null ? null : later.toBlocking().firstOrDefault(null);
    }
}
