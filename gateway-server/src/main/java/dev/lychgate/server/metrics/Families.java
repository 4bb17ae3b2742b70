package dev.lychgate.server.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.MetricType;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongBiFunction;
import java.util.stream.Stream;

/**
 * Metric families, in groups. Each family is declared once, with its name, its help and the source of its values. A
 * group reads the values from subjects of one type, such as upstreams. Each collection reads all subjects again and
 * {@linkplain #show exposes} the result, so the series of a removed subject disappear. Not thread-safe.
 */
final class Families {
    private final PrometheusRegistry registry;
    private final List<Rows> all = new ArrayList<>();

    Families(PrometheusRegistry registry) {
        this.registry = registry;
    }

    /**
     * Returns a new group.
     *
     * @param prefix prefix of the names of its families
     * @param labels names of the labels that identify a subject
     */
    <T> Group<T> group(String prefix, String... labels) {
        return new Group<>(prefix, labels);
    }

    /** Exposes the values that were read since the last call, and no earlier values. */
    void show() {
        all.forEach(Rows::show);
    }

    /** Reads the values of one family from a subject. */
    interface Source<T> {
        void read(T subject, Row row);
    }

    /**
     * The series of one family for one subject. The parameters {@code further} are label values in addition to the
     * labels of the subject.
     */
    record Row(Rows rows, List<String> its) {
        void set(long value, String... further) {
            set((double) value, further);
        }

        void set(double value, String... further) {
            Labels series = series(further);
            boolean grows = rows.descriptor.getType() == MetricType.COUNTER;
            rows.next.put(
                    series,
                    grows
                            ? new CounterDataPointSnapshot(value, series, null, 0)
                            : new GaugeDataPointSnapshot(value, series, null));
        }

        void set(DurationCells durations, Exemplars exemplars, String... further) {
            Labels series = series(further);
            rows.next.put(series, durations.point(series, exemplars));
        }

        void set(long count, double sum, String... further) {
            Labels series = series(further);
            rows.next.put(
                    series,
                    SummaryDataPointSnapshot.builder()
                            .labels(series)
                            .count(count)
                            .sum(sum)
                            .build());
        }

        void setInfo() {
            Labels series = series();
            rows.next.put(series, new InfoDataPointSnapshot(series));
        }

        private Labels series(String... further) {
            return Labels.of(rows.labels, join(its, further));
        }
    }

    /**
     * All series of one family. Label values are in the order of the label names. The class bypasses Micrometer, which
     * would look up each meter separately. A histogram of Micrometer also needs each single duration, but the gateway
     * counts only totals.
     */
    private static final class Rows implements Collector {
        private final MetricFamilyDescriptor descriptor;
        private final String[] labels;
        private Map<Labels, DataPointSnapshot> next = new LinkedHashMap<>();
        private volatile Collection<DataPointSnapshot> shown = List.of();

        Rows(MetricType type, String name, String help, String... labels) {
            this.descriptor = MetricFamilyDescriptor.of(type, new MetricMetadata(name, help), List.of(labels));
            this.labels = labels;
        }

        void show() {
            shown = next.values();
            next = new LinkedHashMap<>();
        }

        @Override
        public MetricSnapshot collect() {
            MetricMetadata metadata = descriptor.getMetadata();
            return switch (descriptor.getType()) {
                case COUNTER -> new CounterSnapshot(metadata, points(CounterDataPointSnapshot.class));
                case GAUGE -> new GaugeSnapshot(metadata, points(GaugeDataPointSnapshot.class));
                case INFO -> new InfoSnapshot(metadata, points(InfoDataPointSnapshot.class));
                case SUMMARY -> new SummarySnapshot(metadata, points(SummaryDataPointSnapshot.class));
                default -> new HistogramSnapshot(metadata, points(HistogramDataPointSnapshot.class));
            };
        }

        private <P> List<P> points(Class<P> type) {
            return shown.stream().map(type::cast).toList();
        }

        @Override
        public MetricFamilyDescriptor getMetricFamilyDescriptor() {
            return descriptor;
        }
    }

    private static String[] join(List<String> first, String... second) {
        return Stream.concat(first.stream(), Stream.of(second)).toArray(String[]::new);
    }

    static <T, E> Source<T> each(E[] constants, Function<E, String> label, ToDoubleBiFunction<T, E> value) {
        return (subject, row) -> {
            for (E each : constants) {
                row.set(value.applyAsDouble(subject, each), label.apply(each));
            }
        };
    }

    /**
     * Works like {@link #each}, but omits constants with a count of zero, because most constants never occur for a
     * subject.
     */
    static <T, E> Source<T> eachCounted(E[] constants, Function<E, String> label, ToLongBiFunction<T, E> count) {
        return (subject, row) -> {
            for (E each : constants) {
                long counted = count.applyAsLong(subject, each);
                if (counted > 0) {
                    row.set(counted, label.apply(each));
                }
            }
        };
    }

    /** Returns a source with 1 for the current constant of a subject, and 0 for all other constants. */
    static <T, E extends Enum<E>> Source<T> one(E[] constants, Function<T, E> current) {
        return each(constants, Families::word, (subject, each) -> current.apply(subject) == each ? 1 : 0);
    }

    /** Returns the label value of a constant, such as {@code half-open}. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @param <T> the type of the subjects from which the families are read */
    final class Group<T> {
        private final String prefix;
        private final List<String> labels;
        private final List<Rows> families = new ArrayList<>();
        private final List<Source<T>> sources = new ArrayList<>();

        private Group(String prefix, String... labels) {
            this.prefix = prefix;
            this.labels = List.of(labels);
        }

        /**
         * Adds a counter.
         *
         * @param name the name without {@code _total}, optionally followed by further labels: {@code a{b, c}}
         */
        Group<T> counter(String name, String help, ToDoubleFunction<T> value) {
            return counter(name, help, (subject, row) -> row.set(value.applyAsDouble(subject)));
        }

        Group<T> counter(String name, String help, Source<T> source) {
            return add(MetricType.COUNTER, name, help, source);
        }

        Group<T> gauge(String name, String help, ToDoubleFunction<T> value) {
            return gauge(name, help, (subject, row) -> row.set(value.applyAsDouble(subject)));
        }

        Group<T> gauge(String name, String help, Source<T> source) {
            return add(MetricType.GAUGE, name, help, source);
        }

        /**
         * Adds a family whose labels are its only information. Its value is 1, and its name is the prefix of the group
         * with the suffix {@code _info}.
         */
        Group<T> info(String help) {
            return add(MetricType.INFO, "", help, (subject, row) -> row.setInfo());
        }

        Group<T> histogram(String name, String help, Source<T> source) {
            return add(MetricType.HISTOGRAM, name, help, source);
        }

        /** Adds a family of durations with only their number and their sum. */
        Group<T> summary(String name, String help, ToDoubleFunction<T> count, ToDoubleFunction<T> sum) {
            return summary(
                    name,
                    help,
                    (subject, row) -> row.set((long) count.applyAsDouble(subject), sum.applyAsDouble(subject)));
        }

        Group<T> summary(String name, String help, Source<T> source) {
            return add(MetricType.SUMMARY, name, help, source);
        }

        private Group<T> add(MetricType type, String form, String help, Source<T> source) {
            String[] words = form.split("[{}, ]+", -1);
            List<String> further =
                    Stream.of(words).skip(1).filter(label -> !label.isEmpty()).toList();
            Rows rows = new Rows(type, prefix + words[0], help, join(labels, further.toArray(String[]::new)));
            registry.register(rows);
            all.add(rows);
            families.add(rows);
            sources.add(source);
            return this;
        }

        /**
         * Reads the values of all families from a subject.
         *
         * @param its the label values of the subject, in the order of the label names
         */
        void read(T subject, String... its) {
            for (int i = 0; i < sources.size(); i++) {
                sources.get(i).read(subject, new Row(families.get(i), List.of(its)));
            }
        }
    }
}
