package dev.lychgate.server.applog;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One logger and its levels.
 *
 * @param name the name of the logger; {@code root} for the root logger
 * @param level the explicit level in lower case; null if the logger inherits the level of its parent
 * @param effective the level in force, explicit or inherited
 * @param until the time at which a temporary level ends; null if the level is permanent
 * @param afterwards the explicit level after a temporary level; null if the logger then inherits its level, or if the
 *     level is permanent
 */
public record LoggerLevel(
        String name,
        @Nullable String level,
        String effective,
        @Nullable Instant until,
        @Nullable String afterwards) {}
