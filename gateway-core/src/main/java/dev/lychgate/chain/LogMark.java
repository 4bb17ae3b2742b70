package dev.lychgate.chain;

import dev.lychgate.filter.FilterLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Identifies the exchange to which a log line belongs, so that one request can be followed through a log. The gateway's
 * own lines begin with the mark and contain it as two SLF4J key-value pairs, {@link FilterLog#REQUEST_ID} and {@link
 * FilterLog#ROUTE}. On threads of blocking filters, the {@link org.slf4j.MDC} contains the same two pairs.
 *
 * @param requestId the request id
 * @param route the route's id; null before routing
 */
public record LogMark(String requestId, @Nullable String route) {
    /** An exchange that creates its log mark (request id and route) on demand, because most exchanges log nothing. */
    public interface Source {
        /** Returns the log mark of this exchange: its request id and its route. Called on the exchange's event loop. */
        LogMark mark();
    }

    /**
     * Returns the log mark (request id and route) of the exchange whose filter runs on this event-loop thread, for log
     * lines from a filter's own logger.
     *
     * <p>On event loops, this method replaces an {@link org.slf4j.MDC}, which would have to be filled and cleared for
     * each call of a filter. Recording the running filter costs only two field writes per call; a thread-local is read
     * only for a log line.
     *
     * @return null if no filter runs on this thread
     */
    public static @Nullable LogMark here() {
        return LoopGuard.mark();
    }

    /** Adds the request id and the route to a log line as key-value pairs. */
    public LoggingEventBuilder on(LoggingEventBuilder line) {
        LoggingEventBuilder marked = line.addKeyValue(FilterLog.REQUEST_ID, requestId);
        return route == null ? marked : marked.addKeyValue(FilterLog.ROUTE, route);
    }

    /** Returns the prefix of the exchange's log lines. Lines of a {@link FilterLog} have this prefix. */
    @Override
    public String toString() {
        return route == null ? requestId + " " : requestId + " [" + route + "] ";
    }
}
