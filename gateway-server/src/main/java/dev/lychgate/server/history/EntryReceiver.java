package dev.lychgate.server.history;

import dev.lychgate.server.metrics.GatewayMetrics;

/**
 * A receiver of the entries of a history, in their order. Neither a slow nor an unreachable receiver may delay the thread of
 * the history; a receiver drops and counts the entries beyond its bounds.
 */
public interface EntryReceiver extends AutoCloseable {
    /** Takes an entry. Never waits. @param entry has the number 0 and no digest if it could not be written to the file */
    void send(Entry entry);

    /** Exposes the counts. */
    void showIn(GatewayMetrics metrics);

    /** Sends the remaining entries within seconds. */
    @Override
    void close();
}
