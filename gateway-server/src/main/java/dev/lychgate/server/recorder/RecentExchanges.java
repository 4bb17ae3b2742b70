package dev.lychgate.server.recorder;

import dev.lychgate.server.logwriter.LogOutput;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Keeps the latest recorded exchanges in memory. For each reason, it keeps up to a fixed number of exchanges. All
 * {@linkplain ExchangeKind kinds} of exchanges with the same reason share this number. Thread-safe.
 */
public final class RecentExchanges implements LogOutput<RecordedExchange> {
    private static final Comparator<RecordedExchange> LATEST_FIRST = (a, b) -> Long.signum(b.order() - a.order());

    private final Map<Reason, Reservoir> reservoirs = new EnumMap<>(Reason.class);

    /** @param keep the number of exchanges to keep per reason */
    public RecentExchanges(int keep) {
        for (Reason reason : Reason.values()) {
            reservoirs.put(reason, new Reservoir(reason, keep));
        }
    }

    /** Changes the number of exchanges that are kept for each reason. */
    public synchronized void keep(int changed) {
        reservoirs.values().forEach(reservoir -> reservoir.capacity(changed));
    }

    @Override
    public synchronized void write(RecordedExchange exchange) {
        Reservoir reservoir = reservoirs.get(exchange.reason());
        if (reservoir != null) {
            reservoir.add(exchange);
        }
    }

    /** Returns all retained exchanges, ordered by their start, the latest first. */
    public synchronized List<RecordedExchange> all() {
        return exchanges().sorted(LATEST_FIRST).toList();
    }

    private Stream<RecordedExchange> exchanges() {
        return reservoirs.values().stream().flatMap(Reservoir::exchanges);
    }

    /**
     * Returns the latest exchanges of the wanted kinds. Selects the latest exchange of every kind, then the second
     * latest exchange of every kind, and so on, up to {@code limit}. Frequent kinds therefore do not hide rare kinds.
     *
     * @return the exchanges, ordered by their start, the latest first
     */
    public synchronized List<RecordedExchange> latest(int limit, Predicate<ExchangeKind> wanted) {
        List<List<RecordedExchange>> kinds = reservoirs.values().stream()
                .flatMap(reservoir -> reservoir.latestFirst(wanted))
                .toList();
        List<RecordedExchange> chosen = new ArrayList<>();
        for (int rank = 0; chosen.size() < limit; rank++) {
            int at = rank;
            List<RecordedExchange> ofRank = kinds.stream()
                    .filter(kind -> kind.size() > at)
                    .map(kind -> kind.get(at))
                    .sorted(LATEST_FIRST)
                    .toList();
            if (ofRank.isEmpty()) {
                break;
            }
            chosen.addAll(ofRank.subList(0, Math.min(ofRank.size(), limit - chosen.size())));
        }
        chosen.sort(LATEST_FIRST);
        return chosen;
    }

    /** Returns the retained kinds, ordered by their latest exchange. */
    public synchronized List<ExchangeKind.Kept> kinds() {
        return reservoirs.values().stream()
                .flatMap(Reservoir::kinds)
                .sorted(Comparator.comparing(ExchangeKind.Kept::latest, LATEST_FIRST))
                .toList();
    }

    /** Returns the latest exchange with this request id or trace id. */
    public synchronized Optional<RecordedExchange> find(String id) {
        return exchanges()
                .filter(exchange -> exchange.id().equals(id)
                        || (exchange.trace() != null
                                && exchange.trace().traceId().equals(id)))
                .min(LATEST_FIRST);
    }
}
