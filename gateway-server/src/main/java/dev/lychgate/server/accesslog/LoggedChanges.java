package dev.lychgate.server.accesslog;

import dev.lychgate.server.history.Entry;
import dev.lychgate.server.history.EntryReceiver;
import dev.lychgate.server.metrics.GatewayMetrics;
import java.util.function.Consumer;

/**
 * Writes the entries of the change history into the access log. A lost entry counts as a lost line. The access log is
 * closed after the history, so that the log also contains the last entries.
 */
record LoggedChanges(Consumer<LoggedItem> log) implements EntryReceiver {
    @Override
    public void send(Entry entry) {
        log.accept(new LoggedChange(entry));
    }

    @Override
    public void showIn(GatewayMetrics metrics) {}

    @Override
    public void close() {}
}
