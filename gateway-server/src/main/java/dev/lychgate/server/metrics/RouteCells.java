package dev.lychgate.server.metrics;

import dev.lychgate.config.OnFailure.Remedy;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.loop.DurationHistogram;
import dev.lychgate.tracing.TraceContext;
import io.prometheus.metrics.model.snapshots.Exemplars;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What has been counted of one route. Plain fields: either one event loop's own, or a copy, or a sum of copies.
 */
final class RouteCells {
    /** Status classes 1xx to 5xx, by their first digit; 0 is for what had no status. */
    private static final int CLASSES = 6;

    /** The reason of what is done for the status of an answer. */
    private static final String STATUS = "status";

    private final long[] answered = new long[CLASSES];
    /** By status class; made when its error first happens. */
    private final Map<ErrorKind, Map<Side, long[]>> failed = new EnumMap<>(ErrorKind.class);

    /** By the label of the error that it was for; made when it is first done. */
    private final Map<Remedy, Map<String, long[]>> remedies = new EnumMap<>(Remedy.class);
    /** By priority; made when the first request is shed. */
    private long @Nullable [] shed;

    /** Made when the first WebSocket is opened. */
    private @Nullable TunnelCells tunnels;

    /** Latest traces, by bucket; made when the first exchange of a recorded trace ends. */
    private @Nullable ExemplarCells exemplars;

    private final DurationBuckets buckets;
    private final PhaseCells phases;
    private final long[] durations;
    private final DurationHistogram histogram = new DurationHistogram();
    private long durationNanos;
    private long requestBytes;
    private long responseBytes;

    /** Hears of every count of {@link #counts}. */
    interface CountVisitor {
        /** @param error null for exchanges that met none */
        void count(int statusClass, @Nullable ErrorKind error, @Nullable Side side, long count);
    }

    /** Hears of every count of {@link #remedies}. */
    interface RemedyVisitor {
        /** @param reason the error's label, or {@code status} */
        void count(Remedy remedy, String reason, long count);
    }

    /** @param buckets those of every loop */
    RouteCells(DurationBuckets buckets) {
        this.buckets = buckets;
        this.phases = new PhaseCells(buckets);
        this.durations = new long[buckets.count()];
    }

    /** @param trace null if the exchange is in none */
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
            shedRow()[record.shed()]++;
        }
        int bucket = buckets.of(nanos);
        durations[bucket]++;
        histogram.record(nanos);
        if (trace != null && trace.sampled()) {
            exemplarCells().record(bucket, trace, nanos, System.currentTimeMillis());
        }
        durationNanos += nanos;
        requestBytes += record.requestBytes();
        responseBytes += record.responseBytes();
    }

    void tunnelOpened(String listener) {
        tunnelCells().opened(listener);
    }

    void tunnelEnded(String listener, TunnelEnd end) {
        tunnelCells().ended(listener, end);
    }

    private ExemplarCells exemplarCells() {
        ExemplarCells cells = exemplars;
        if (cells == null) {
            cells = new ExemplarCells(buckets.count());
            exemplars = cells;
        }
        return cells;
    }

    private TunnelCells tunnelCells() {
        TunnelCells cells = tunnels;
        if (cells == null) {
            cells = new TunnelCells();
            tunnels = cells;
        }
        return cells;
    }

    /** Visits what was counted of WebSockets. */
    void tunnels(TunnelCells.Visitor visitor) {
        if (tunnels != null) {
            tunnels.visit(visitor);
        }
    }

    private long[] row(ErrorKind kind, Side side) {
        return failed.computeIfAbsent(kind, k -> new EnumMap<>(Side.class))
                .computeIfAbsent(side, s -> new long[CLASSES]);
    }

    private long[] row(Remedy remedy, String reason) {
        return remedies.computeIfAbsent(remedy, r -> new TreeMap<>()).computeIfAbsent(reason, r -> new long[1]);
    }

    private long[] shedRow() {
        long[] row = shed;
        if (row == null) {
            row = new long[RouteResilience.HIGHEST_PRIORITY + 1];
            shed = row;
        }
        return row;
    }

    void add(RouteCells other) {
        add(answered, other.answered);
        other.failed.forEach((kind, sides) -> sides.forEach((side, row) -> add(row(kind, side), row)));
        other.remedies.forEach(
                (remedy, reasons) -> reasons.forEach((reason, count) -> add(row(remedy, reason), count)));
        if (other.shed != null) {
            add(shedRow(), other.shed);
        }
        if (other.tunnels != null) {
            tunnelCells().add(other.tunnels);
        }
        if (other.exemplars != null) {
            exemplarCells().merge(other.exemplars);
        }
        phases.add(other.phases);
        add(durations, other.durations);
        histogram.add(other.histogram);
        durationNanos += other.durationNanos;
        requestBytes += other.requestBytes;
        responseBytes += other.responseBytes;
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

    /** Visits everything that was done since an upstream had failed. */
    void remedies(RemedyVisitor visitor) {
        remedies.forEach(
                (remedy, reasons) -> reasons.forEach((reason, count) -> visitor.count(remedy, reason, count[0])));
    }

    /** How many were refused with that priority since the gateway had too much to do. */
    long shed(int priority) {
        return shed == null ? 0 : shed[priority];
    }

    /** Where their time went; of WebSockets nothing is counted there. */
    PhaseCells phases() {
        return phases;
    }

    /** How many exchanges fell into each of the {@link DurationBuckets}; not added up. */
    long[] durations() {
        return durations.clone();
    }

    /** Returns the same durations, for percentiles; its owner is that of these cells. */
    DurationHistogram histogram() {
        return histogram;
    }

    Exemplars exemplars() {
        return exemplars == null ? Exemplars.EMPTY : exemplars.exemplars();
    }

    double durationSeconds() {
        return durationNanos / 1e9;
    }

    long requestBytes() {
        return requestBytes;
    }

    long responseBytes() {
        return responseBytes;
    }
}
