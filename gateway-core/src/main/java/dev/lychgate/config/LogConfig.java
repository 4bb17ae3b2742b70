package dev.lychgate.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The application log of a process that serves alone; a gateway within another program leaves that program's log as it is.
 */
public record LogConfig(Format format, @Nullable Level level, Map<String, Level> loggers) {
    /** What the log looks like. */
    public enum Format {
        /** Lines for people. */
        TEXT,
        /** One JSON object per line. */
        JSON
    }

    /** How much is logged. */
    public enum Level {
        OFF,
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    private static final Key<Format> FORMAT = Key.choice("format", Format.TEXT).about("what it looks like");

    private static final Key<Level> LEVEL = Key.typed("level", Form.choice(Level.class), null)
            .absent("`LYCHGATE_LOG_LEVEL`, else `info`")
            .about("what is logged where `loggers` says nothing else");
    private static final Key<Map<String, Level>> LOGGERS = Key.typed(
                    "loggers", Form.mapping(Form.choice(Level.class), "logger"), Map.of())
            .about("levels of single loggers and those below them: `dev.lychgate.filter.NAME` is a filter's");

    static final Keys<LogConfig> KEYS = Keys.of(LogConfig::new, FORMAT, LEVEL, LOGGERS);

    public static final LogConfig DEFAULT = KEYS.defaults();

    public LogConfig {
        loggers = Expect.copy(loggers);
        for (String name : loggers.keySet()) {
            Expect.that(
                    name.length() <= 200 && name.matches("[!-~&&[^.]]+([. ][!-~&&[^.]]+)*"),
                    "loggers",
                    name,
                    "names joined by dots, such as dev.lychgate.exchange, at most 200 long");
        }
    }
}
