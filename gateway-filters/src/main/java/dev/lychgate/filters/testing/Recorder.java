package dev.lychgate.filters.testing;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.SyncFilter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Records which filters ran and which failed. Thread-safe. */
final class Recorder {
    private static final List<Class<? extends Filter>> FORMS =
            List.of(SyncFilter.class, AsyncFilter.class, BlockingFilter.class);

    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final List<FilterFailure> failures = new CopyOnWriteArrayList<>();
    private volatile @Nullable String asked;

    /** Returns the filters of the set, each with a wrapper that reports its calls. */
    FilterSet record(FilterSet filters) {
        FilterSet recorded = FilterSet.EMPTY;
        for (FilterSet.Entry entry : filters.entries()) {
            Filter filter = recorded(entry.filter());
            recorded = entry.isGlobal() ? recorded.with(List.of(filter)) : recorded.with(filter, entry.routes());
        }
        return recorded;
    }

    /**
     * Returns the filter with a wrapper that reports its calls. A filter must implement exactly one of
     * {@link SyncFilter}, {@link AsyncFilter} and {@link BlockingFilter}. Any other filter is returned unchanged,
     * because the filter set refuses it.
     */
    private Filter recorded(Filter filter) {
        Class<?>[] forms =
                FORMS.stream().filter(form -> form.isInstance(filter)).toArray(Class<?>[]::new);
        return forms.length != 1
                ? filter
                : (Filter) Proxy.newProxyInstance(
                        Filter.class.getClassLoader(), forms, (proxy, method, args) -> call(filter, method, args));
    }

    private @Nullable Object call(Filter filter, Method method, Object @Nullable [] args) throws Throwable {
        boolean runs = method.getName().equals("filter");
        boolean asks = method.getName().equals("applies");
        if (runs) {
            ran.add(filter.name());
        } else if (asks) {
            asked = filter.name();
        }
        Object result;
        try {
            result = method.invoke(filter, args);
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause() == null ? e : e.getCause();
            if (runs || asks) {
                failed(filter.name(), thrown);
            }
            throw thrown;
        }
        if (runs && result == null) {
            failed(filter.name(), new NullPointerException("the filter returned null"));
        } else if (runs && result instanceof CompletionStage<?> stage) {
            stage.whenComplete((outcome, failure) -> {
                if (failure != null || outcome == null) {
                    failed(
                            filter.name(),
                            failure == null
                                    ? new NullPointerException("the filter's stage completed with null")
                                    : failure);
                }
            });
        }
        return result;
    }

    private void failed(String filter, Throwable cause) {
        Throwable reason = cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
        if (!(reason instanceof CancellationException || reason instanceof BodyRefusal)) {
            failures.add(new FilterFailure(filter, reason));
        }
    }

    @Nullable
    String asked() {
        return asked;
    }

    /**
     * Returns the names of the filters that have run, in the order of their runs. Filters that did not apply are not
     * included.
     */
    List<String> ran() {
        return List.copyOf(ran);
    }

    /**
     * Returns the failures that the wrappers have reported, and the failures that {@code slots} have counted in
     * addition.
     */
    List<FilterFailure> failures(List<FilterSlot> slots) {
        List<FilterFailure> all = new ArrayList<>(failures);
        for (FilterSlot slot : slots) {
            long told = failures.stream()
                    .filter(f -> f.getFilter().equals(slot.name()))
                    .count();
            for (long i = 0; i < slot.stats().timeouts(); i++) {
                all.add(new FilterFailure(slot.name(), new TimeoutException("the filter exceeded its timeout")));
            }
            for (long i = told + slot.stats().timeouts(); i < slot.stats().failures(); i++) {
                all.add(new FilterFailure(
                        slot.name(), new IllegalStateException("the filter could not run; the log states the reason")));
            }
        }
        return all;
    }
}
