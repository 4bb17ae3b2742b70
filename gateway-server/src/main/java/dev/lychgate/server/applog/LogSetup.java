package dev.lychgate.server.applog;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.lychgate.config.LogConfig;
import dev.lychgate.server.textlog.JsonEncoder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Applies the log configuration to the process, before the gateway starts and after each change of the settings. */
public final class LogSetup {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogSetup.class);

    /**
     * The settings in force, which the logger context keeps.
     *
     * @param levels the levels of the changed loggers before the change; null for a logger without an explicit level
     * @param text the encoder for the format {@code text} while another format is in use; null while this encoder is in
     *     use
     */
    private record Applied(
            LogConfig config,
            Map<String, @Nullable Level> levels,
            @Nullable Encoder<ILoggingEvent> text) {
        private static final String KEY = "lychgate.log";
    }

    private LogSetup() {}

    /**
     * Applies {@code config}. A setting that {@code config} does not contain returns to the value that it had at the
     * start of the process.
     */
    public static void apply(LogConfig config) {
        // Compares each component instead of the records, because the first comparison of records would make the JVM
        // generate code at each start.
        boolean sets = config.format() != LogConfig.Format.TEXT
                || config.level() != null
                || !config.loggers().isEmpty();
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            if (sets || context.getObject(Applied.KEY) != null) {
                apply(config, context);
            }
        } else if (sets) {
            LOG.warn("log: the settings are ignored, because the process does not log with Logback");
        }
    }

    static void apply(LogConfig config, LoggerContext context) {
        Applied before = (Applied) context.getObject(Applied.KEY);
        if (before != null && before.config().equals(config)) {
            return;
        }
        if (before != null) {
            before.levels().forEach((name, level) -> context.getLogger(name).setLevel(level));
        }
        Map<String, @Nullable Level> levels = new LinkedHashMap<>();
        LogConfig.Level rootLevel = config.level();
        if (rootLevel != null) {
            level(LogLevels.ROOT, rootLevel, context, levels);
        }
        config.loggers().forEach((name, level) -> level(name, level, context, levels));
        Encoder<ILoggingEvent> text = before == null ? null : before.text();
        context.putObject(Applied.KEY, new Applied(config, levels, format(config.format(), text, context)));
    }

    /** Sets the level of a logger, and adds its earlier level to {@code earlier}. */
    private static void level(
            String name, LogConfig.Level level, LoggerContext context, Map<String, @Nullable Level> earlier) {
        Logger logger = context.getLogger(name.equals(LogLevels.ROOT) ? Logger.ROOT_LOGGER_NAME : name);
        earlier.putIfAbsent(logger.getName(), logger.getLevel());
        logger.setLevel(LogLevels.level(level.name()));
    }

    /**
     * Sets the format of the lines.
     *
     * @param text the encoder for the format {@code text} if another format is in use; null if this encoder is in use
     * @return the value of {@code text} for the next call
     */
    private static @Nullable Encoder<ILoggingEvent> format(
            LogConfig.Format format, @Nullable Encoder<ILoggingEvent> text, LoggerContext context) {
        boolean wantsText = format == LogConfig.Format.TEXT;
        if (wantsText == (text == null)) {
            return text;
        }
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        if (!(root.getAppender(OwnLogback.APPENDER) instanceof QueuedAppender queued)) {
            LOG.warn(
                    "log.format: json is ignored, because this process has a separate Logback configuration, which sets"
                            + " the format of the log");
            return null;
        }
        if (text != null) {
            queued.use(text);
            return null;
        }
        Encoder<ILoggingEvent> current = queued.encoder();
        JsonEncoder encoder = new JsonEncoder();
        encoder.setContext(context);
        encoder.start();
        queued.use(encoder);
        return current;
    }
}
