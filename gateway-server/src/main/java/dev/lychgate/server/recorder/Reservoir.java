package dev.lychgate.server.recorder;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The retained exchanges of one reason. All kinds share the capacity. When the capacity is exceeded, the oldest
 * exchange of the kind with the most exchanges is dropped. Therefore, a kind keeps at least an equal share of the
 * capacity, however often other kinds occur. Not thread-safe.
 */
final class Reservoir {
    /** Maximum number of kinds. Further kinds share one entry. */
    static final int MOST_KINDS = 512;

    private final Reason reason;
    private int capacity;
    private final Map<ExchangeKind, Shelf> shelves = new LinkedHashMap<>();
    private int size;

    private static final class Shelf {
        private final Deque<RecordedExchange> exchanges = new ArrayDeque<>();
        private long recorded;
    }

    /** @param capacity maximum number of exchanges; 0 keeps none */
    Reservoir(Reason reason, int capacity) {
        this.reason = reason;
        this.capacity = capacity;
    }

    /** Changes the maximum number of exchanges, and drops the exchanges that exceed it. */
    void capacity(int changed) {
        capacity = changed;
        while (size > capacity) {
            removeOne();
        }
    }

    void add(RecordedExchange exchange) {
        if (capacity == 0) {
            return;
        }
        ExchangeKind kind = ExchangeKind.of(exchange);
        boolean known = shelves.containsKey(kind) || shelves.size() < MOST_KINDS - 1;
        Shelf shelf = shelves.computeIfAbsent(known ? kind : ExchangeKind.others(reason), k -> new Shelf());
        shelf.exchanges.addLast(exchange);
        shelf.recorded++;
        size++;
        if (size > capacity) {
            removeOne();
        }
    }

    private void removeOne() {
        Shelf largest = Collections.max(shelves.values(), (a, b) -> {
            int bySize = Integer.compare(a.exchanges.size(), b.exchanges.size());
            // Among kinds with equally many exchanges, selects the kind with the oldest exchange.
            return bySize != 0
                    ? bySize
                    : Long.signum(b.exchanges.getFirst().order()
                            - a.exchanges.getFirst().order());
        });
        largest.exchanges.removeFirst();
        size--;
        if (largest.exchanges.isEmpty()) {
            shelves.values().remove(largest);
        }
    }

    Stream<RecordedExchange> exchanges() {
        return shelves.values().stream().flatMap(shelf -> shelf.exchanges.stream());
    }

    /** Returns the exchanges of each wanted kind, the latest first. */
    Stream<List<RecordedExchange>> latestFirst(Predicate<ExchangeKind> wanted) {
        return shelves.entrySet().stream()
                .filter(shelf -> wanted.test(shelf.getKey()))
                .map(shelf -> {
                    List<RecordedExchange> list = new ArrayList<>(shelf.getValue().exchanges);
                    Collections.reverse(list);
                    return list;
                });
    }

    Stream<ExchangeKind.Kept> kinds() {
        return shelves.entrySet().stream()
                .map(shelf -> new ExchangeKind.Kept(
                        shelf.getKey(),
                        shelf.getValue().exchanges.size(),
                        shelf.getValue().recorded,
                        shelf.getValue().exchanges.getLast()));
    }
}
