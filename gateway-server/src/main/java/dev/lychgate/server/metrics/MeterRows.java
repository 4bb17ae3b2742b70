package dev.lychgate.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All meters of one name, one per combination of labels, fed with numbers that were counted elsewhere. A meter is made
 * when its labels first appear. For one thread, but for the reading of values.
 */
final class MeterRows {
    /** Whether the numbers only grow. */
    enum Kind {
        COUNTER,
        GAUGE
    }

    private final MeterRegistry registry;
    private final Kind kind;
    private final String name;
    private final @Nullable String unit;
    private final String description;
    private final String[] labels;
    private final Map<List<String>, Row> rows = new HashMap<>();
    private final Set<List<String>> touched = new HashSet<>();

    private static final class Row {
        final Meter meter;
        volatile double value;

        Row(MeterRows family, Tags tags) {
            meter = family.kind == Kind.COUNTER
                    ? FunctionCounter.builder(family.name, this, row -> row.value)
                            .description(family.description)
                            .baseUnit(family.unit)
                            .tags(tags)
                            .register(family.registry)
                    : Gauge.builder(family.name, this, row -> row.value)
                            .description(family.description)
                            .baseUnit(family.unit)
                            .tags(tags)
                            .register(family.registry);
        }
    }

    MeterRows(
            MeterRegistry registry,
            Kind kind,
            String name,
            @Nullable String unit,
            String description,
            String... labels) {
        this.registry = registry;
        this.kind = kind;
        this.name = name;
        this.unit = unit;
        this.description = description;
        this.labels = labels;
    }

    /** Sets the number under these labels, given in the order of the names. */
    void set(long value, String... values) {
        set((double) value, values);
    }

    /** As {@link #set(long, String...)}, for numbers with fractions. */
    void set(double value, String... values) {
        List<String> key = Arrays.asList(values);
        touched.add(key);
        rows.computeIfAbsent(key, k -> new Row(this, tags(k))).value = value;
    }

    /** Shows a number under labels that nobody has set one for. */
    void setIfAbsent(double value, String... values) {
        if (!rows.containsKey(Arrays.asList(values))) {
            set(value, values);
        }
    }

    private Tags tags(List<String> values) {
        Tags tags = Tags.empty();
        for (int i = 0; i < labels.length; i++) {
            tags = tags.and(labels[i], values.get(i));
        }
        return tags;
    }

    /** Takes away every meter that has not been set since the last call: what it stood for is gone. */
    void removeUntouched() {
        rows.entrySet().removeIf(entry -> {
            boolean gone = !touched.contains(entry.getKey());
            if (gone) {
                registry.remove(entry.getValue().meter);
            }
            return gone;
        });
        touched.clear();
    }
}
