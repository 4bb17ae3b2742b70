package dev.lychgate.server.applog;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.lychgate.filters.testing.FilterTests;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Drops the log lines of threads that run tests of filters, until it is closed: tests make filters fail on purpose, and an
 * operator cannot distinguish their lines from lines of requests. Without Logback it has no effect. Any thread.
 */
public final class SilencedTests implements AutoCloseable {
    private final @Nullable LoggerContext context;
    private final TurboFilter filter = new OfTests();

    private SilencedTests(@Nullable LoggerContext context) {
        this.context = context;
    }

    /** Drops these lines from now on. */
    public static SilencedTests begin() {
        SilencedTests silenced =
                new SilencedTests(LoggerFactory.getILoggerFactory() instanceof LoggerContext found ? found : null);
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

    private static final class OfTests extends TurboFilter {
        @Override
        public FilterReply decide(
                @Nullable Marker marker,
                Logger logger,
                Level level,
                @Nullable String format,
                Object @Nullable [] values,
                @Nullable Throwable thrown) {
            return FilterTests.isTest() ? FilterReply.DENY : FilterReply.NEUTRAL;
        }
    }
}
