package dev.lychgate.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings for the application log. They apply only if the gateway runs as a standalone process: an embedded
 * gateway does not change the log of its host program.
 */
public record LogConfig(Format format, @Nullable Level level, Map<String, Level> loggers) {
    /** The format of the log. */
    public enum Format {
        /** Plain text lines. */
        TEXT,
        /** One JSON object per line. */
        JSON
    }

    /** The minimum level of log lines. Less severe lines are not written. */
    public enum Level {
        OFF,
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    private static final Key<Format> FORMAT = Key.choice("format", Format.TEXT).about("the format of the log");

    private static final Key<Level> LEVEL = Key.typed("level", Form.choice(Level.class), null)
            .absent("`LYCHGATE_LOG_LEVEL`, else `info`")
            .about("the level of all loggers that `loggers` does not name");
    private static final Key<Map<String, Level>> LOGGERS = Key.typed(
                    "loggers", Form.mapping(Form.choice(Level.class), "logger"), Map.of())
            .about("the levels of single loggers and their children: `dev.lychgate.filter.NAME` is the "
                    + "logger of a filter");

    static final Keys<LogConfig> KEYS = Keys.of(LogConfig::new, FORMAT, LEVEL, LOGGERS);

    public static final LogConfig DEFAULT = KEYS.defaults();

    public LogConfig {
        loggers = Expect.copy(loggers);
        for (String name : loggers.keySet()) {
            Expect.that(
                    name.length() <= 200 && name.matches("[!-~&&[^.]]+([. ][!-~&&[^.]]+)*"),
                    "loggers",
                    name,
                    "names joined by dots, such as dev.lychgate.exchange, with at most 200 characters");
        }
    }
}
