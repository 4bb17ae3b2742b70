package dev.lychgate.server.admin;

import dev.lychgate.config.Durations;
import dev.lychgate.server.applog.LogLevels;
import dev.lychgate.server.applog.LoggerLevel;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code /log}: the levels of the loggers, and changes of these levels, permanent or temporary. Concurrent calls wait
 * for each other, so these methods must not run on the admin listener's thread.
 */
final class LogPage {
    static final Parameter<String> ONE =
            Parameter.optional("logger", "the name of a logger, which need not have an own level");
    static final Parameter<String> NAME = Parameter.needed("logger", "the name of the logger, or root");
    static final Parameter<String> LEVEL = Parameter.needed(
            "level", "off, error, warn, info, debug or trace; inherit removes the own level of the logger");
    static final Parameter<String> FOR =
            Parameter.optional("for", "the duration of the change, such as 10m; then the previous level applies again");

    private static final Shape<LoggerLevel> LOGGER = new Shape<LoggerLevel>("Logger")
            .text("logger", "The name of the logger; root for the root logger.", LoggerLevel::name)
            .optionalText("level", "The own level of the logger; missing if the logger has none.", LoggerLevel::level)
            .text("effective", "The level in effect.", LoggerLevel::effective)
            .optional("until", Json.TIME, "When the level changes back.", LoggerLevel::until)
            .optionalText(
                    "afterwards",
                    "The own level of the logger after that time; missing if the logger then has no own level.",
                    LoggerLevel::afterwards);

    static final Shape<List<LoggerLevel>> SHAPE = new Shape<List<LoggerLevel>>("Loggers", "Loggers and their levels.")
            .list("loggers", LOGGER, "The selected loggers.", all -> all);

    private final @Nullable LogLevels levels = LogLevels.ofProcess();

    /** Returns the requested logger. If the request names no logger, returns all loggers that have their own level. */
    List<LoggerLevel> read(Parameters given) throws Rejection {
        LogLevels all = levels();
        String name = given.optional(ONE);
        try {
            return name == null
                    ? all.list().stream().filter(one -> one.level() != null).toList()
                    : List.of(all.of(name));
        } catch (IllegalArgumentException e) {
            throw Rejection.malformed("expected: logger = root, or a name such as dev.lychgate.exchange");
        }
    }

    /** Changes a level, and returns the logger. Rejects invalid parameters with 400. */
    List<LoggerLevel> change(Parameters given) throws Rejection {
        LogLevels all = levels();
        String name = given.needed(NAME);
        String level = given.needed(LEVEL);
        String time = given.optional(FOR);
        try {
            @Nullable Duration within = time == null ? null : Durations.parse(time);
            boolean inherits = level.equals("inherit") && within == null;
            return List.of(inherits ? all.inherit(name) : all.set(name, level, within));
        } catch (IllegalArgumentException e) {
            throw Rejection.malformed(
                    "expected: logger = root or a name such as dev.lychgate.exchange, but not the audit log; level = off,"
                            + " error, warn, info, debug or trace, or inherit without for; for = a duration of at most"
                            + " 24h, such as 10m");
        }
    }

    private LogLevels levels() throws Rejection {
        return Rejection.ifAbsent(
                levels, "this process does not log with Logback, so it has no levels to read or change");
    }
}
