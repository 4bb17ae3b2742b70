package dev.lychgate.server.recorder;

import org.jspecify.annotations.Nullable;

/**
 * The common attributes of recorded exchanges. Exchanges of one kind share a quota of memory.
 *
 * @param reason the reason why the exchanges were recorded
 * @param route the id of their route; {@code -} if no route matched
 * @param error the label of their error; without an error, a response status of 5xx, or {@code none} for other statuses
 */
public record ExchangeKind(Reason reason, String route, String error) {
    /**
     * The route and the error of the common kind. After the maximum number of kinds is reached, exchanges of new kinds
     * are assigned to the common kind.
     */
    private static final String OTHERS = "others";

    private static final int FIRST_SERVER_ERROR = 500;

    /**
     * The numbers of exchanges of one kind.
     *
     * @param recorded number of exchanges that were recorded while this kind was retained
     * @param latest the latest retained exchange
     */
    public record Kept(ExchangeKind kind, int kept, long recorded, RecordedExchange latest) {}

    static ExchangeKind of(RecordedExchange exchange) {
        String route = exchange.route();
        return new ExchangeKind(exchange.reason(), route == null ? "-" : route, error(exchange));
    }

    static ExchangeKind others(Reason reason) {
        return new ExchangeKind(reason, OTHERS, OTHERS);
    }

    private static String error(RecordedExchange exchange) {
        RecordedExchange.@Nullable Fault fault = exchange.error();
        if (fault != null) {
            return fault.kind();
        }
        return exchange.status() >= FIRST_SERVER_ERROR ? Integer.toString(exchange.status()) : "none";
    }
}
