package dev.lychgate.server.metrics;

import dev.lychgate.tracing.TraceContext;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Exemplars;
import java.util.ArrayList;
import java.util.List;

/**
 * The latest recorded trace of each bucket of a duration histogram. Recording a trace allocates no memory. Not
 * thread-safe: an object belongs to one event loop, or is a copy or a merger of copies that one thread uses.
 */
final class ExemplarCells {
    private static final int HIGH = 0;
    private static final int LOW = 1;
    private static final int SPAN = 2;
    private static final int NANOS = 3;
    /**
     * The index of the time among the cells of an exemplar. The time is in milliseconds since 1970; it is 0 for a
     * bucket without an exemplar.
     */
    private static final int TIME = 4;

    private static final int STRIDE = 5;

    private final long[] cells;

    ExemplarCells(int buckets) {
        this.cells = new long[buckets * STRIDE];
    }

    /** @param now milliseconds since 1970 */
    void record(int bucket, TraceContext trace, long nanos, long now) {
        int at = bucket * STRIDE;
        cells[at + HIGH] = trace.high();
        cells[at + LOW] = trace.low();
        cells[at + SPAN] = trace.span();
        cells[at + NANOS] = nanos;
        cells[at + TIME] = now;
    }

    /** Replaces each exemplar if {@code other} has a newer exemplar for the same bucket. */
    void merge(ExemplarCells other) {
        for (int at = 0; at < cells.length; at += STRIDE) {
            if (other.cells[at + TIME] > cells[at + TIME]) {
                System.arraycopy(other.cells, at, cells, at, STRIDE);
            }
        }
    }

    Exemplars exemplars() {
        List<Exemplar> all = new ArrayList<>();
        for (int at = 0; at < cells.length; at += STRIDE) {
            if (cells[at + TIME] > 0) {
                TraceContext trace = new TraceContext(cells[at + HIGH], cells[at + LOW], 0, cells[at + SPAN], true, "");
                all.add(Exemplar.builder()
                        .traceId(trace.traceId())
                        .spanId(TraceContext.spanId(trace.span()))
                        .value(cells[at + NANOS] / 1e9)
                        .timestampMillis(cells[at + TIME])
                        .build());
            }
        }
        return Exemplars.of(all);
    }
}
