package dev.lychgate.server.rollout;

/**
 * The exchanges of one generation that have a property, out of all that were compared.
 *
 * @param exchanges all compared exchanges
 * @param with those with the property, such as failed ones
 */
public record Share(long exchanges, long with) {
    static final Share NONE = new Share(0, 0);

    /** Returns the fraction with the property: 0 to 1, or NaN without exchanges. */
    public double fraction() {
        return exchanges == 0 ? Double.NaN : (double) with / exchanges;
    }

    Share plus(long moreExchanges, long moreWith) {
        return new Share(exchanges + moreExchanges, with + moreWith);
    }
}
