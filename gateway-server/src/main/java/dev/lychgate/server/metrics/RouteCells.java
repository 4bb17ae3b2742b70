package dev.lychgate.server.metrics;

import dev.lychgate.config.OnFailure.Remedy;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.TimelinePhase;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.generation.FaultRule;
import dev.lychgate.loop.DurationHistogram;
import dev.lychgate.tracing.TraceContext;
import io.prometheus.metrics.model.snapshots.Exemplars;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one route. Not thread-safe: an object belongs to one event loop, or is a copy or a sum of copies that
 * one thread uses.
 */
final class RouteCells {
    /**
     * The number of status classes. The index of a class is the first digit of its statuses; the class with index 0 is
     * for exchanges without a status.
     */
    private static final int CLASSES = 6;

    /**
     * The maximum number of fault names with separate counts. If there are more names, requests with faults of the
     * excess names are counted together.
     */
    private static final int MOST_FAULTS = 200;

    private static final String OTHER_FAULTS = "(others)";

    /**
     * The reason that is counted for a remedy (such as a fixed response) if a response status, and not an error, caused
     * the remedy.
     */
    private static final String STATUS = "status";

    private final long[] answered = new long[CLASSES];
    /** The number of failures for each error, side and status class; allocated when the error first occurs. */
    private final Map<ErrorKind, Map<Side, long[]>> failed = new EnumMap<>(ErrorKind.class);
    /**
     * How often each remedy was applied, by the label of the error that caused it; allocated when a remedy is first
     * applied.
     */
    private final Map<Remedy, Map<String, long[]>> remedies = new EnumMap<>(Remedy.class);
    /** The number of shed requests by priority. */
    private final long[] shed = new long[RouteResilience.HIGHEST_PRIORITY + 1];
    /** WebSockets by listener; allocated when the first WebSocket is opened. */
    private final Map<String, TunnelCells> tunnels = new TreeMap<>();
    /** Injected faults by name; allocated when the first fault is injected. */
    private final Map<String, Map<FaultRule.Kind, long[]>> faults = new TreeMap<>();
    /** The latest trace of each bucket; allocated when the first exchange with a recorded trace ends. */
    private @Nullable ExemplarCells exemplars;

    private DurationBuckets buckets;
    DurationCells durations;
    /** Durations of phases by {@link TimelinePhase#index}; WebSockets are not included. */
    DurationCells[] phases;
    /** The durations of exchanges in narrow buckets, for percentiles. */
    final DurationHistogram histogram = new DurationHistogram();

    long requestBytes;
    long responseBytes;

    /** Visits the counts of {@link #faults}. */
    interface FaultVisitor {
        void count(String fault, FaultRule.Kind kind, long count);
    }

    /** Visits the counts of {@link #counts}. */
    interface CountVisitor {
        /** @param error null for exchanges without an error */
        void count(int statusClass, @Nullable ErrorKind error, @Nullable Side side, long count);
    }

    /** Visits the counts of {@link #remedies}. */
    interface RemedyVisitor {
        /** @param reason the error's label, or {@code status} */
        void count(Remedy remedy, String reason, long count);
    }

    /** The WebSockets of one listener. */
    static final class TunnelCells {
        final EnumMap<TunnelEnd, Long> ended = new EnumMap<>(TunnelEnd.class);
        long opened;

        /** Returns the number of open WebSockets. */
        long open() {
            return opened - ended.values().stream().mapToLong(Long::longValue).sum();
        }

        void end(TunnelEnd how) {
            ended.merge(how, 1L, Long::sum);
        }

        void add(TunnelCells other) {
            opened += other.opened;
            other.ended.forEach((end, count) -> ended.merge(end, count, Long::sum));
        }
    }

    /** @param buckets the buckets of durations, which are the same for every loop, except while they change */
    RouteCells(DurationBuckets buckets) {
        this.buckets = buckets;
        this.durations = new DurationCells(buckets);
        this.phases = phases(buckets);
    }

    private static DurationCells[] phases(DurationBuckets buckets) {
        return Stream.generate(() -> new DurationCells(buckets))
                .limit(TimelinePhase.COUNT)
                .toArray(DurationCells[]::new);
    }

    /** Begins new histograms with other buckets. */
    void use(DurationBuckets changed) {
        buckets = changed;
        durations = new DurationCells(changed);
        phases = phases(changed);
        exemplars = null;
    }

    /**
     * Counts an exchange that has ended.
     *
     * @param trace the trace of the exchange; null if it has none
     */
    void count(ExchangeRecord record, long nanos, @Nullable TraceContext trace) {
        int statusClass = Math.min(record.status() / 100, CLASSES - 1);
        GatewayError error = record.error();
        if (error == null) {
            answered[statusClass]++;
        } else {
            row(error.kind(), error.side())[statusClass]++;
        }
        Remedy remedy = record.remedy();
        if (remedy != null) {
            GatewayError cause = record.remedyFor();
            row(remedy, cause == null ? STATUS : cause.kind().label())[0]++;
        }
        if (record.shed() >= 0) {
            shed[record.shed()]++;
        }
        if (!record.injections().isEmpty()) {
            record.injections().forEach(one -> row(one.fault(), one.kind())[0]++);
        }
        int bucket = durations.count(nanos);
        histogram.record(nanos);
        if (trace != null && trace.sampled()) {
            exemplarCells().record(bucket, trace, nanos, System.currentTimeMillis());
        }
        requestBytes += record.requestBytes();
        responseBytes += record.responseBytes();
    }

    /**
     * Counts the phases of an exchange.
     *
     * @param times by {@link TimelinePhase#index}, in nanoseconds; negative for phases that the exchange did not reach
     */
    void countPhases(long[] times) {
        for (int i = 0; i < times.length; i++) {
            if (times[i] >= 0) {
                phases[i].count(times[i]);
            }
        }
    }

    TunnelCells tunnels(String listener) {
        return tunnels.computeIfAbsent(listener, l -> new TunnelCells());
    }

    private ExemplarCells exemplarCells() {
        ExemplarCells cells = exemplars;
        if (cells == null) {
            cells = new ExemplarCells(buckets.count());
            exemplars = cells;
        }
        return cells;
    }

    private long[] row(ErrorKind kind, Side side) {
        return failed.computeIfAbsent(kind, k -> new EnumMap<>(Side.class))
                .computeIfAbsent(side, s -> new long[CLASSES]);
    }

    private long[] row(Remedy remedy, String reason) {
        return remedies.computeIfAbsent(remedy, r -> new TreeMap<>()).computeIfAbsent(reason, r -> new long[1]);
    }

    /**
     * Returns the count of a fault. Operators choose the names of faults, so the number of counted names is bounded.
     */
    private long[] row(String fault, FaultRule.Kind kind) {
        String name = faults.size() < MOST_FAULTS || faults.containsKey(fault) ? fault : OTHER_FAULTS;
        return faults.computeIfAbsent(name, f -> new EnumMap<>(FaultRule.Kind.class))
                .computeIfAbsent(kind, k -> new long[1]);
    }

    void add(RouteCells other) {
        add(answered, other.answered);
        other.failed.forEach((kind, sides) -> sides.forEach((side, row) -> add(row(kind, side), row)));
        other.remedies.forEach(
                (remedy, reasons) -> reasons.forEach((reason, count) -> add(row(remedy, reason), count)));
        add(shed, other.shed);
        other.faults.forEach((fault, kinds) -> kinds.forEach((kind, count) -> add(row(fault, kind), count)));
        other.tunnels.forEach((listener, part) -> tunnels(listener).add(part));
        if (other.buckets == buckets) {
            addHistograms(other);
        }
        histogram.add(other.histogram);
        requestBytes += other.requestBytes;
        responseBytes += other.responseBytes;
    }

    private void addHistograms(RouteCells other) {
        if (other.exemplars != null) {
            exemplarCells().merge(other.exemplars);
        }
        durations.add(other.durations);
        for (int i = 0; i < phases.length; i++) {
            phases[i].add(other.phases[i]);
        }
    }

    private static void add(long[] sum, long[] part) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += part[i];
        }
    }

    RouteCells copy() {
        RouteCells copy = new RouteCells(buckets);
        copy.add(this);
        return copy;
    }

    /** Visits every count that is not zero. */
    void counts(CountVisitor visitor) {
        visit(answered, null, null, visitor);
        failed.forEach((kind, sides) -> sides.forEach((side, row) -> visit(row, kind, side, visitor)));
    }

    private static void visit(long[] row, @Nullable ErrorKind kind, @Nullable Side side, CountVisitor visitor) {
        for (int c = 0; c < CLASSES; c++) {
            if (row[c] > 0) {
                visitor.count(c, kind, side, row[c]);
            }
        }
    }

    /** Visits every remedy applied after an upstream failure. */
    void remedies(RemedyVisitor visitor) {
        remedies.forEach(
                (remedy, reasons) -> reasons.forEach((reason, count) -> visitor.count(remedy, reason, count[0])));
    }

    /** Visits the effects of injected faults. */
    void faults(FaultVisitor visitor) {
        faults.forEach((fault, kinds) -> kinds.forEach((kind, count) -> visitor.count(fault, kind, count[0])));
    }

    /** Visits the WebSockets of each listener that has had a WebSocket. */
    void tunnels(BiConsumer<String, TunnelCells> visitor) {
        tunnels.forEach(visitor);
    }

    /** Returns the number of requests with the given priority that were shed because of overload. */
    long shed(int priority) {
        return shed[priority];
    }

    Exemplars exemplars() {
        return exemplars == null ? Exemplars.EMPTY : exemplars.exemplars();
    }
}
