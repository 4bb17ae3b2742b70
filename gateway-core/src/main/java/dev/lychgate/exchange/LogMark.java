package dev.lychgate.exchange;

import dev.lychgate.filter.FilterLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * On whose account a line of the application log is written, so that one request can be followed through a log. Lines of the
 * gateway's own begin with it, and carry it as key-value pairs of SLF4J too, {@link FilterLog#REQUEST_ID} and
 * {@link FilterLog#ROUTE}; threads that filters block have it in their {@link org.slf4j.MDC}, under the same names.
 *
 * @param requestId the request id
 * @param route the route's id; null while none is chosen
 */
public record LogMark(String requestId, @Nullable String route) {
    /**
     * The exchange whose filter runs on this thread, if it is an event loop: for whoever writes down what a filter logs by a
     * logger of its own.
     *
     * <p>It stands for an {@link org.slf4j.MDC}, into which each run of a filter would have to put both and to take them out
     * again, logged or not. This way a run costs a field written twice, and whoever logs pays for a look at a thread-local.
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
