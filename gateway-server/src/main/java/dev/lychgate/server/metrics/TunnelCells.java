package dev.lychgate.server.metrics;

import dev.lychgate.exchange.state.TunnelEnd;
import java.util.EnumMap;

/** The WebSockets of one route and listener. Plain fields, as those of {@link RouteCells}. */
final class TunnelCells {
    final EnumMap<TunnelEnd, Long> ended = new EnumMap<>(TunnelEnd.class);
    long opened;

    /** Returns how many are open now. */
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
