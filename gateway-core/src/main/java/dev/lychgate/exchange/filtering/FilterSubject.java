package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.LogMark;

/** An exchange that filters run for: the source of log marks, and the record of failures. On its event loop. */
interface FilterSubject extends LogMark.Source {
    /** A filter has failed, whatever its failure policy. */
    void filterFailed();
}
