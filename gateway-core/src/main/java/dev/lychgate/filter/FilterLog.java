package dev.lychgate.filter;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one filter about one exchange: each line begins with the request id, from whatever thread it is written, as
 * no thread-local has to follow the exchange there. Lines take {@code {}} for their arguments.
 */
public final class FilterLog {
    private final Logger log;
    private final String requestId;

    /** @param filter the filter's name; the logger is {@code dev.lychgate.filter.} and this */
    public FilterLog(String filter, String requestId) {
        this.log = LoggerFactory.getLogger("dev.lychgate.filter." + filter);
        this.requestId = requestId;
    }

    public void debug(String line, Object... arguments) {
        if (log.isDebugEnabled()) {
            log.debug("{} " + line, with(arguments));
        }
    }

    public void info(String line, Object... arguments) {
        if (log.isInfoEnabled()) {
            log.info("{} " + line, with(arguments));
        }
    }

    public void warn(String line, Object... arguments) {
        log.warn("{} " + line, with(arguments));
    }

    /** A last argument that is a {@link Throwable} is logged with its stack trace. */
    public void error(String line, Object... arguments) {
        log.error("{} " + line, with(arguments));
    }

    /** @param given null where Groovy was told to log a null: it takes that for all of the arguments */
    private Object[] with(Object @Nullable [] given) {
        Object[] arguments = given == null ? new Object[1] : given;
        Object[] all = new Object[arguments.length + 1];
        all[0] = requestId;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return all;
    }
}
