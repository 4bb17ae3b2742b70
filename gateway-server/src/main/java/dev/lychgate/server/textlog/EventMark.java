package dev.lychgate.server.textlog;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.lychgate.chain.LogMark;
import dev.lychgate.filter.FilterLog;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.event.KeyValuePair;

/** On whose account a line is written. To be asked on the thread that logs, as appenders do that don't hand on. */
final class EventMark {
    private EventMark() {}

    /** What the line itself says; null if it says nothing. */
    static @Nullable LogMark said(ILoggingEvent event) {
        String request = value(event, FilterLog.REQUEST_ID);
        return request == null ? null : new LogMark(request, value(event, FilterLog.ROUTE));
    }

    /** What the thread says: the filter that runs on it, or its MDC. Null if both say nothing. */
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
