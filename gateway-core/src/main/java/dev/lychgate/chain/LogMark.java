package dev.lychgate.chain;

import dev.lychgate.filter.FilterLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The exchange that a line of the application log belongs to, so that one request can be followed through a log. The gateway's
 * own lines begin with it and carry it as SLF4J key-value pairs, {@link FilterLog#REQUEST_ID} and {@link FilterLog#ROUTE};
 * threads of blocking filters have it in their {@link org.slf4j.MDC} under the same names.
 *
 * @param requestId the request id
 * @param route the route's id; null while none is chosen
 */
public record LogMark(String requestId, @Nullable String route) {
    /** An exchange, which makes its mark only when a line is written. */
    public interface Source {
        /** Returns the mark. Called on the exchange's event loop. */
        LogMark mark();
    }

    /**
     * Returns the mark of the exchange whose filter runs on this event-loop thread, for lines that a filter logs with a logger of
     * its own.
     *
     * <p>It replaces an {@link org.slf4j.MDC} on event loops, which every run of a filter would have to fill and clear whether or
     * not it logs. This way a run costs two writes of a field, and only a logged line reads a thread-local.
     *
     * @return null if no filter runs on this thread
     */
    public static @Nullable LogMark here() {
        return LoopGuard.mark();
    }

    /** Adds both to a line. */
    public LoggingEventBuilder on(LoggingEventBuilder line) {
        LoggingEventBuilder marked = line.addKeyValue(FilterLog.REQUEST_ID, requestId);
        return route == null ? marked : marked.addKeyValue(FilterLog.ROUTE, route);
    }

    /** What the line begins with, as those of a {@link FilterLog} do. */
    @Override
    public String toString() {
        return route == null ? requestId + " " : requestId + " [" + route + "] ";
    }
}
