package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.LogMark;

/**
 * The exchange for which filters run: supplies the request id and the route for log lines, and records failures. Used
 * on the exchange's event loop.
 */
interface FilterSubject extends LogMark.Source {
    /** Records that a filter has failed, regardless of its failure policy. */
    void filterFailed();
}
