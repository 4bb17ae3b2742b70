package dev.lychgate.server.history;

import dev.lychgate.server.metrics.GatewayMetrics;

/**
 * Receives the entries of a history in their order. A receiver must not delay the thread of the history, even if its
 * target is slow or unreachable. A receiver drops and counts entries that do not fit into its queue.
 */
public interface EntryReceiver extends AutoCloseable {
    /**
     * Accepts an entry without blocking.
     *
     * @param entry the entry; if it could not be written, its number is 0 and its digest is empty
     */
    void send(Entry entry);

    /** Exposes the counts of this receiver as metrics. */
    void showIn(GatewayMetrics metrics);

    /** Sends all entries that were not sent yet, and closes this receiver within seconds. */
    @Override
    void close();
}
