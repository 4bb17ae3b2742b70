package dev.lychgate.server.recorder;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The latest recorded exchanges, in memory: so many of each reason that a storm of failures does not push out the slow ones.
 * Any thread.
 */
public final class RecentExchanges implements RecordedSink {
    private final int keep;
    private final Map<Reason, Deque<RecordedExchange>> latest = new EnumMap<>(Reason.class);

    /** @param keep how many of each reason */
    public RecentExchanges(int keep) {
        this.keep = keep;
        for (Reason reason : Reason.values()) {
            latest.put(reason, new ArrayDeque<>());
        }
    }

    @Override
    public synchronized void take(RecordedExchange exchange) {
        Deque<RecordedExchange> same = of(exchange.reason());
        if (same.size() == keep && keep > 0) {
            same.removeFirst();
        }
        if (keep > 0) {
            same.addLast(exchange);
        }
    }

    private Deque<RecordedExchange> of(Reason reason) {
        return latest.computeIfAbsent(reason, r -> new ArrayDeque<>());
    }

    /** All that are kept, those that began last first. */
    public synchronized List<RecordedExchange> all() {
        List<RecordedExchange> all = new ArrayList<>();
        latest.values().forEach(all::addAll);
        all.sort(Comparator.comparingLong(RecordedExchange::began).reversed());
        return all;
    }

    /** The latest with this request id, or in the trace of this id. */
    public Optional<RecordedExchange> find(String id) {
        return stream(id).findFirst();
    }

    private Stream<RecordedExchange> stream(String id) {
        return all().stream()
                .filter(exchange -> exchange.id().equals(id)
                        || (exchange.trace() != null
                                && exchange.trace().traceId().equals(id)));
    }
}
