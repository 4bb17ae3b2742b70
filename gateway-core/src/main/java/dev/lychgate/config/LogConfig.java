package dev.lychgate.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The application log of a process that serves alone; a gateway within another program leaves that program's log as it is.
 *
 * @param format what it looks like on standard error; default text
 * @param level what is logged where nothing else is said; null = what the process was started with, INFO as a rule
 * @param loggers levels of single loggers, by name
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

    public static final LogConfig DEFAULT = new LogConfig(Format.TEXT, null, Map.of());

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
