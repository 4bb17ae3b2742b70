package dev.lychgate.server.applog;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Drops the log lines of threads that run filters without a client's request, until this object is closed. An operator
 * could not distinguish these lines from the lines of real requests. Without Logback, this class has no effect.
 * Thread-safe.
 */
public final class SilencedLog implements AutoCloseable {
    private final @Nullable LoggerContext context;
    private final TurboFilter filter;

    private SilencedLog(@Nullable LoggerContext context, BooleanSupplier silent) {
        this.context = context;
        this.filter = new OfThreads(silent);
    }

    /**
     * Starts to drop lines.
     *
     * @param silent returns whether the lines of the current thread are dropped
     */
    public static SilencedLog begin(BooleanSupplier silent) {
        SilencedLog silenced = new SilencedLog(
                LoggerFactory.getILoggerFactory() instanceof LoggerContext found ? found : null, silent);
        if (silenced.context != null) {
            silenced.context.addTurboFilter(silenced.filter);
        }
        return silenced;
    }

    @Override
    public void close() {
        if (context != null) {
            context.getTurboFilterList().remove(filter);
        }
    }

    private static final class OfThreads extends TurboFilter {
        private final BooleanSupplier silent;

        OfThreads(BooleanSupplier silent) {
            this.silent = silent;
        }

        @Override
        public FilterReply decide(
                @Nullable Marker marker,
                Logger logger,
                Level level,
                @Nullable String format,
                Object @Nullable [] values,
                @Nullable Throwable thrown) {
            return silent.getAsBoolean() ? FilterReply.DENY : FilterReply.NEUTRAL;
        }
    }
}
