package dev.lychgate.server.rollout;

/**
 * The number of compared exchanges of one generation, and the number of these exchanges that have a property.
 *
 * @param exchanges the number of all compared exchanges
 * @param with the number of exchanges with the property, such as failed exchanges
 */
public record Share(long exchanges, long with) {
    static final Share NONE = new Share(0, 0);

    /** Returns the fraction of exchanges with the property, from 0 to 1; NaN without exchanges. */
    public double fraction() {
        return exchanges == 0 ? Double.NaN : (double) with / exchanges;
    }

    Share plus(long moreExchanges, long moreWith) {
        return new Share(exchanges + moreExchanges, with + moreWith);
    }
}
