package dev.lychgate.server.applog;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One logger and its levels.
 *
 * @param name its name; {@code root} for the root logger
 * @param level its explicit level in lower case; null if it inherits its parent's
 * @param effective the level in force, explicit or inherited
 * @param until when a temporary level ends; null if the level is permanent
 * @param afterwards the explicit level after a temporary one; null if it then inherits, or never changes
 */
public record LoggerLevel(
        String name,
        @Nullable String level,
        String effective,
        @Nullable Instant until,
        @Nullable String afterwards) {}
