package dev.lychgate.filter;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The log of one filter about one exchange: each line begins with the request id, and the route in brackets once there is one,
 * from whatever thread it is written, as no thread-local has to follow the exchange there. It has both as key-value pairs, too.
 * Lines take {@code {}} for their arguments.
 */
public final class FilterLog {
    /** Under what name lines carry the request id as a key-value pair, and threads of blocking filters in their MDC. */
    public static final String REQUEST_ID = "requestId";

    /** As {@link #REQUEST_ID}, the id of the route. */
    public static final String ROUTE = "route";

    private final Logger log;
    private final String requestId;
    private final @Nullable String route;

    /** @param filter the filter's name; the logger is {@code dev.lychgate.filter.} and this */
    public FilterLog(String filter, String requestId) {
        this(filter, requestId, null);
    }

    /** As above. @param route the id of the exchange's route; null while there is none */
    public FilterLog(String filter, String requestId, @Nullable String route) {
        this.log = LoggerFactory.getLogger("dev.lychgate.filter." + filter);
        this.requestId = requestId;
        this.route = route;
    }

    public void debug(String line, Object... arguments) {
        log(Level.DEBUG, line, arguments);
    }

    public void info(String line, Object... arguments) {
        log(Level.INFO, line, arguments);
    }

    public void warn(String line, Object... arguments) {
        log(Level.WARN, line, arguments);
    }

    /** A last argument that is a {@link Throwable} is logged with its stack trace. */
    public void error(String line, Object... arguments) {
        log(Level.ERROR, line, arguments);
    }

    private void log(Level level, String line, Object[] arguments) {
        if (!log.isEnabledForLevel(level)) {
            return;
        }
        LoggingEventBuilder marked = log.atLevel(level).addKeyValue(REQUEST_ID, requestId);
        if (route != null) {
            marked = marked.addKeyValue(ROUTE, route);
        }
        marked.log("{}" + line, with(arguments));
    }

    private String beginning() {
        return route == null ? requestId + " " : requestId + " [" + route + "] ";
    }

    /** @param given null where Groovy was told to log a null: it takes that for all of the arguments */
    private Object[] with(Object @Nullable [] given) {
        Object[] arguments = given == null ? new Object[1] : given;
        Object[] all = new Object[arguments.length + 1];
        all[0] = beginning();
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return all;
    }
}
