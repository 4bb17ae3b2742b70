package dev.lychgate.server.accesslog;

import dev.lychgate.server.history.Entry;
import dev.lychgate.server.history.EntryReceiver;
import dev.lychgate.server.metrics.GatewayMetrics;

/**
 * Writes the entries of the change history into the access log. A lost entry counts as a lost line. The access log is
 * closed after the history, so that the log also contains the last entries.
 */
record LoggedChanges(AccessLog log) implements EntryReceiver {
    @Override
    public void send(Entry entry) {
        log.offer(new LoggedChange(entry));
    }

    @Override
    public void showIn(GatewayMetrics metrics) {}

    @Override
    public void close() {}
}
