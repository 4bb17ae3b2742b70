package dev.lychgate.filter;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The log of one filter for one exchange. Each line begins with the request id and, if the exchange has a route, with
 * the route in brackets. The request id and the route are also attached to the log event as key-value pairs. Each
 * {@code {}} in a line is replaced by the next argument. Thread-safe.
 */
public final class FilterLog {
    /** The key of the request id in key-value pairs, and in the MDC of the threads that run blocking filters. */
    public static final String REQUEST_ID = "requestId";

    /** The key of the route's id, which is used in the same places as {@link #REQUEST_ID}. */
    public static final String ROUTE = "route";

    private final Logger log;
    private final String requestId;
    private final @Nullable String route;

    /**
     * Creates the log of a filter for an exchange without a route.
     *
     * @param filter the filter's name; the name of the logger is {@code dev.lychgate.filter.} followed by this name
     */
    public FilterLog(String filter, String requestId) {
        this(filter, requestId, null);
    }

    /**
     * Creates the log of a filter for one exchange.
     *
     * @param route the id of the exchange's route; null if the exchange has no route
     */
    public FilterLog(String filter, String requestId, @Nullable String route) {
        this.log = LoggerFactory.getLogger("dev.lychgate.filter." + filter);
        this.requestId = requestId;
        this.route = route;
    }

    /** Logs a line for debugging. */
    public void debug(String line, Object... arguments) {
        log(Level.DEBUG, line, arguments);
    }

    /** Logs an event of normal operation. */
    public void info(String line, Object... arguments) {
        log(Level.INFO, line, arguments);
    }

    /** Logs a problem that the filter has handled. */
    public void warn(String line, Object... arguments) {
        log(Level.WARN, line, arguments);
    }

    /** Logs a failure. If the last argument is a {@link Throwable}, the log contains its stack trace. */
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

    /**
     * Returns the beginning of the line, followed by the arguments.
     *
     * @param given the arguments; null if a Groovy filter logs a single null, which Groovy passes as the array itself
     */
    private Object[] with(Object @Nullable [] given) {
        Object[] arguments = given == null ? new Object[1] : given;
        Object[] all = new Object[arguments.length + 1];
        all[0] = beginning();
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return all;
    }
}
