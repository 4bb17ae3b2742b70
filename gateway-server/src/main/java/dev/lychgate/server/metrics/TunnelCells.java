package dev.lychgate.server.metrics;

import dev.lychgate.exchange.state.TunnelEnd;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** What has been counted of the WebSockets of one route, by listener. As {@link RouteCells}, which it is a part of. */
final class TunnelCells {
    private final Map<String, Row> byListener = new TreeMap<>();

    private static final class Row {
        private final EnumMap<TunnelEnd, Long> ended = new EnumMap<>(TunnelEnd.class);
        private long opened;

        long open() {
            return opened - ended.values().stream().mapToLong(Long::longValue).sum();
        }

        void add(Row other) {
            opened += other.opened;
            other.ended.forEach((end, count) -> ended.merge(end, count, Long::sum));
        }
    }

    /** Hears of every listener that has had any. */
    interface Visitor {
        /** @param open how many are open now */
        void open(String listener, long open);

        void ended(String listener, TunnelEnd end, long count);
    }

    void opened(String listener) {
        row(listener).opened++;
    }

    void ended(String listener, TunnelEnd end) {
        row(listener).ended.merge(end, 1L, Long::sum);
    }

    private Row row(String listener) {
        return byListener.computeIfAbsent(listener, l -> new Row());
    }

    void add(TunnelCells other) {
        other.byListener.forEach((listener, part) -> row(listener).add(part));
    }

    void visit(Visitor visitor) {
        byListener.forEach((listener, row) -> {
            row.ended.forEach((end, count) -> visitor.ended(listener, end, count));
            visitor.open(listener, row.open());
        });
    }
}
