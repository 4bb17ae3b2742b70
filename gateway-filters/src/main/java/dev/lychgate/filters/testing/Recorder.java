package dev.lychgate.filters.testing;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Notes down which filters ran and which failed. Filters may tell it from any thread. */
final class Recorder {
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final List<FilterFailure> failures = new CopyOnWriteArrayList<>();
    private volatile @Nullable String asked;

    /** The same filters, which tell what they do from here on. */
    FilterSet record(FilterSet filters) {
        FilterSet recorded = FilterSet.EMPTY;
        for (FilterSet.Entry entry : filters.entries()) {
            Filter filter = RecordedFilter.of(entry.filter(), this);
            recorded = entry.isGlobal() ? recorded.with(List.of(filter)) : recorded.with(filter, entry.routes());
        }
        return recorded;
    }

    void asked(String filter) {
        asked = filter;
    }

    void ran(String filter) {
        ran.add(filter);
    }

    void failed(String filter, Throwable cause) {
        Throwable reason = cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
        if (!(reason instanceof CancellationException)) {
            failures.add(new FilterFailure(filter, reason));
        }
    }

    /** The filter that was asked last; null if none was. */
    @Nullable
    String asked() {
        return asked;
    }

    /** The names of the filters that ran, in order; those that did not apply are not among them. */
    List<String> ran() {
        return List.copyOf(ran);
    }

    /** The failures that filters told of, and those that {@code slots} have counted beside. */
    List<FilterFailure> failures(List<FilterSlot> slots) {
        List<FilterFailure> all = new ArrayList<>(failures);
        for (FilterSlot slot : slots) {
            long told = failures.stream()
                    .filter(f -> f.getFilter().equals(slot.name()))
                    .count();
            for (long i = 0; i < slot.stats().timeouts(); i++) {
                all.add(new FilterFailure(slot.name(), new TimeoutException("it took longer than it may")));
            }
            for (long i = told + slot.stats().timeouts(); i < slot.stats().failures(); i++) {
                all.add(new FilterFailure(slot.name(), new IllegalStateException("it could not run: see the log")));
            }
        }
        return all;
    }
}
