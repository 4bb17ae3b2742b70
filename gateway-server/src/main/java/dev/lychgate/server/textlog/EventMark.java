package dev.lychgate.server.textlog;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.lychgate.chain.LogMark;
import dev.lychgate.filter.FilterLog;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.event.KeyValuePair;

/**
 * Finds the request and route of a log line. Only the thread that logs the line may use this class. An appender that
 * encodes on another thread therefore can't use it.
 */
final class EventMark {
    private EventMark() {}

    /** Returns the request and route that the line's own key-value pairs name; null if they name none. */
    static @Nullable LogMark said(ILoggingEvent event) {
        String request = value(event, FilterLog.REQUEST_ID);
        return request == null ? null : new LogMark(request, value(event, FilterLog.ROUTE));
    }

    /**
     * Returns the request and route of the filter that runs on the current thread. If no filter runs, returns the
     * request and route in the MDC of the thread, or null if the MDC contains none.
     */
    static @Nullable LogMark ofThread() {
        LogMark here = LogMark.here();
        if (here != null) {
            return here;
        }
        String request = MDC.get(FilterLog.REQUEST_ID);
        return request == null ? null : new LogMark(request, MDC.get(FilterLog.ROUTE));
    }

    private static @Nullable String value(ILoggingEvent event, String key) {
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            for (KeyValuePair pair : pairs) {
                if (pair.key.equals(key)) {
                    return String.valueOf(pair.value);
                }
            }
        }
        return null;
    }
}
