package dev.lychgate.server.accesslog;

import dev.lychgate.server.history.Entry;
import dev.lychgate.server.history.EntryReceiver;
import dev.lychgate.server.metrics.GatewayMetrics;

/**
 * Puts entries of the history into the queue of the access log. Lost entries are lost lines of the access log. It outlives the
 * history, whose end is in the log.
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
