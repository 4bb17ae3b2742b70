package dev.lychgate.server.recorder;

import org.jspecify.annotations.Nullable;

/**
 * What recorded exchanges have in common: exchanges of one kind share a place in memory.
 *
 * @param reason why they were recorded
 * @param route the id of their route; {@code -} if no route matched
 * @param error the label of the error, or the status of the response if it is the failure; {@code none} if nothing failed
 */
public record ExchangeKind(Reason reason, String route, String error) {
    /** Stands for the route and the error of all further kinds, where there are too many. */
    private static final String OTHERS = "others";

    private static final int FIRST_SERVER_ERROR = 500;

    /**
     * How much of a kind there is.
     *
     * @param recorded exchanges recorded since the oldest of those that are kept, itself included
     * @param latest the latest of them
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
