package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.config.Durations;
import dev.lychgate.server.applog.LogLevels;
import dev.lychgate.server.applog.LoggerLevel;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code /log}: what the loggers let through, and another level for one of them, for good or for a while. Callers wait for
 * each other, so this is nothing for the admin listener's thread.
 */
final class LogPage {
    private static final String ABSENT = "the log of this process is somebody else's";

    private final @Nullable LogLevels levels = LogLevels.ofProcess();

    /** 200 with all loggers that have a level of their own, or with the one that is asked for. */
    AdminAnswer read(Parameters given) {
        LogLevels all = levels;
        if (all == null) {
            return AdminAnswer.unavailable(ABSENT);
        }
        String name = given.optional("logger");
        try {
            List<LoggerLevel> shown = name == null
                    ? all.list().stream().filter(one -> one.level() != null).toList()
                    : List.of(all.of(name));
            return page(shown);
        } catch (IllegalArgumentException e) {
            return AdminAnswer.malformed("logger is root, or a name such as dev.lychgate.exchange");
        }
    }

    /** 200 with the logger as it is now, 400 for what can't be understood. */
    AdminAnswer change(Parameters given) {
        LogLevels all = levels;
        if (all == null) {
            return AdminAnswer.unavailable(ABSENT);
        }
        String name = given.needed("logger");
        String level = given.needed("level");
        String time = given.optional("for");
        try {
            @Nullable Duration within = time == null ? null : Durations.parse(time);
            if (level.equals("inherit") && within == null) {
                return page(List.of(all.inherit(name)));
            }
            return page(List.of(all.set(name, level, within)));
        } catch (IllegalArgumentException e) {
            return AdminAnswer.malformed(
                    "logger is root or a name such as dev.lychgate.exchange, and not the audit log; level is off, error, warn, info, debug or trace,"
                            + " or inherit for good; for is a time such as 10m, of at most 24h");
        }
    }

    private static AdminAnswer page(List<LoggerLevel> shown) {
        return AdminAnswer.json(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("loggers");
            for (LoggerLevel one : shown) {
                write(json, one);
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void write(JsonGenerator json, LoggerLevel one) throws IOException {
        json.writeStartObject();
        json.writeStringField("logger", one.name());
        if (one.level() != null) {
            json.writeStringField("level", one.level());
        }
        json.writeStringField("effective", one.effective());
        if (one.until() != null) {
            json.writeStringField("until", one.until().toString());
        }
        if (one.afterwards() != null) {
            json.writeStringField("afterwards", one.afterwards());
        }
        json.writeEndObject();
    }
}
