package dev.lychgate.server.applog;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.encoder.Encoder;
import dev.lychgate.config.LogConfig;
import dev.lychgate.server.textlog.JsonEncoder;
import org.slf4j.LoggerFactory;

/** Applies the log configuration to the process. This happens once, before the gateway starts. */
public final class LogSetup {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogSetup.class);

    private LogSetup() {}

    /**
     * Applies {@code config}. A setting that {@code config} does not contain keeps the value that it had at the start
     * of the process.
     */
    public static void apply(LogConfig config) {
        // Compares each component instead of the records, because the first comparison of records would make the JVM
        // generate code at each start.
        if (config.format() == LogConfig.Format.TEXT
                && config.level() == null
                && config.loggers().isEmpty()) {
            return;
        }
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            apply(config, context);
        } else {
            LOG.warn("log: the settings are ignored, because the process does not log with Logback");
        }
    }

    static void apply(LogConfig config, LoggerContext context) {
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        if (config.format() == LogConfig.Format.JSON) {
            json(root.getAppender(OwnLogback.APPENDER), context);
        }
        if (config.level() != null) {
            root.setLevel(LogLevels.level(config.level().name()));
        }
        config.loggers()
                .forEach((name, level) -> context.getLogger(name.equals(LogLevels.ROOT) ? root.getName() : name)
                        .setLevel(LogLevels.level(level.name())));
    }

    private static void json(Appender<ILoggingEvent> appender, LoggerContext context) {
        if (!(appender instanceof QueuedAppender queued)) {
            LOG.warn(
                    "log.format: json is ignored, because this process has a separate Logback configuration, which sets"
                            + " the format of the log");
            return;
        }
        JsonEncoder encoder = new JsonEncoder();
        encoder.setContext(context);
        encoder.start();
        Encoder<ILoggingEvent> before = queued.encoder();
        queued.use(encoder);
        before.stop();
    }
}
