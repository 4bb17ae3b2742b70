package dev.lychgate.filters.state;

import dev.lychgate.filter.StateCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of filters that outlives the generation of the filters. Each gateway has one object of this class. A
 * generation adds its state when it takes effect. State is kept while the running generation, or a generation that a
 * rollback may restore, uses it. Thread-safe.
 */
public final class SharedState {
    private static final Logger LOG = LoggerFactory.getLogger(SharedState.class);

    private final List<Entry> entries = new ArrayList<>();
    /** The state of the running generation, and of each generation that a rollback may restore. */
    private final List<GenerationObjects> kept = new ArrayList<>();

    private final LongAdder closeFailures = new LongAdder();
    private final RegisteredObjects registered = new RegisteredObjects();
    private final Set<GenerationObjects> open = new LinkedHashSet<>();
    private @Nullable GenerationObjects current;

    /**
     * A named object that a filter keeps between generations.
     *
     * @param type the class of the object, or the limits of a cache, as a text for operators
     * @param place the file and line that declare the object
     * @param codec converts the object between generations; null if the object itself is kept
     */
    public record Entry(
            String file,
            String name,
            String type,
            Object value,
            String place,
            @Nullable StateCodec<?> codec) {
        boolean is(String otherFile, String otherName) {
            return file.equals(otherFile) && name.equals(otherName);
        }

        private boolean isLike(Entry other) {
            return is(other.file, other.name) && (type.equals(other.type) || (codec != null && other.codec != null));
        }

        /** Returns the number of elements of the object; null if the object is not a collection. */
        public @Nullable Long size() {
            if (value instanceof BoundedCache<?> cache) {
                return cache.size();
            }
            return value instanceof Map<?, ?> map
                    ? Long.valueOf(map.size())
                    : value instanceof Collection<?> all ? Long.valueOf(all.size()) : null;
        }
    }

    /** Returns the newest entry with this file and name that satisfies {@code fits}; null if there is none. */
    synchronized @Nullable Entry find(String file, String name, Predicate<Entry> fits) {
        GenerationObjects running = current;
        if (running != null) {
            Entry own = running.entry(file, name);
            if (own != null && fits.test(own)) {
                return own;
            }
        }
        for (int i = entries.size() - 1; i >= 0; i--) {
            Entry entry = entries.get(i);
            if (entry.is(file, name) && fits.test(entry)) {
                return entry;
            }
        }
        return null;
    }

    /** Adds the state of a generation that takes effect. */
    synchronized void tookOver(GenerationObjects next) {
        for (Entry entry : next.entries()) {
            if (isIn(entries, entry)) {
                continue;
            }
            Entry before = find(entry.file(), entry.name(), any -> true);
            if (before != null && !before.isLike(entry)) {
                LOG.warn(
                        "shared state '{}' is reset, because its declaration has changed: {} at {} replaces {} at {}",
                        entry.name(),
                        entry.type(),
                        entry.place(),
                        before.type(),
                        before.place());
            }
            entries.add(entry);
        }
        // One limit applies to all caches together. Therefore, a cache is emptied if the running generation does not
        // use it, even if a rollback may restore a generation that uses it.
        for (Entry entry : entries) {
            if (entry.value() instanceof BoundedCache<?> cache && !isIn(next.entries(), entry)) {
                cache.clear();
            }
        }
        current = next;
        kept.remove(next);
        kept.add(next);
    }

    /** Drops the state that no generation except {@code old} uses, because {@code old} will not run again. */
    synchronized void forget(GenerationObjects old) {
        kept.remove(old);
        if (current == old) {
            current = null;
        }
        entries.removeIf(entry -> kept.stream().noneMatch(other -> isIn(other.entries(), entry)));
    }

    @SuppressWarnings("ReferenceEquality") // compares the identity of the state and not its content
    private static boolean isIn(Collection<Entry> all, Entry entry) {
        return all.stream().anyMatch(other -> other == entry);
    }

    RegisteredObjects registered() {
        return registered;
    }

    synchronized void opened(GenerationObjects objects) {
        open.add(objects);
    }

    /**
     * Records the end of a generation.
     *
     * @return true if the generation had objects to close and its end had not been recorded before
     */
    synchronized boolean ended(GenerationObjects objects) {
        return open.remove(objects);
    }

    /**
     * Closes the objects of all generations, because the gateway has stopped.
     *
     * @param within the time limit for all objects together
     */
    public void end(Duration within) {
        List<GenerationObjects> all;
        synchronized (this) {
            all = List.copyOf(open);
        }
        try {
            CompletableFuture.allOf(all.stream().map(GenerationObjects::end).toArray(CompletableFuture[]::new))
                    .get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(
                    "objects of filters were not closed within {} ms; the gateway stops without waiting for them",
                    within.toMillis());
        }
    }

    /** Returns the state of all kept generations, in the order of its creation. */
    public synchronized List<Entry> all() {
        return List.copyOf(entries);
    }

    /** Returns the state that the running generation uses. */
    public synchronized Collection<Entry> current() {
        return current == null ? List.of() : List.copyOf(current.entries());
    }

    /** Returns the gauges of the running generation. */
    public synchronized Collection<Gauge> gauges() {
        return current == null ? List.of() : List.copyOf(current.gauges());
    }

    /**
     * Describes the references to classes of {@code loader} in the state of filters and in objects of the process. In a
     * collection, only the first elements are checked.
     */
    public List<String> holding(ClassLoader loader) {
        Stream<String> state = all().stream()
                .filter(entry -> OwnTypes.areOf(loader, entry.value()))
                .map(entry -> "shared state '" + entry.name() + "' of " + entry.file());
        return Stream.concat(state, ProcessObjects.holding(loader).stream()).toList();
    }

    /** Returns the number of objects that failed to close or exceeded the time limit. */
    public long closeFailures() {
        return closeFailures.sum();
    }

    void closeFailed() {
        closeFailures.increment();
    }

    /**
     * A gauge: a number that a filter exposes as a metric.
     *
     * @param label the label; empty for a gauge without a label
     * @param place the file and line that declare the gauge
     */
    public record Gauge(String file, String name, String label, String place, DoubleSupplier value) {
        boolean hasNameOf(Gauge other) {
            return file.equals(other.file) && name.equals(other.name);
        }

        boolean replaces(Gauge other) {
            return hasNameOf(other) && label.equals(other.label);
        }
    }
}
