package dev.lychgate.server.applog;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One logger and what it lets through.
 *
 * @param name its name; {@code root} for the one above all
 * @param level its own level in small letters; null if it has that of the logger above it
 * @param effective what counts, its own or the inherited level
 * @param until when its level goes back to what it was; null if it stays
 * @param afterwards the level it goes back to; null if it then has none of its own, or if it stays
 */
public record LoggerLevel(
        String name,
        @Nullable String level,
        String effective,
        @Nullable Instant until,
        @Nullable String afterwards) {}
