package dev.lychgate.server.applog;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The levels of the process's loggers, and how they are changed while it runs. A change takes effect at once and lasts until
 * the process ends, or for a time, after which the logger has the level again that it had before the first change that was
 * meant to pass. Any thread; not for event loops, as callers may wait for each other.
 */
public final class LogLevels {
    /** The name of the logger above all. */
    public static final String ROOT = "root";

    /** The longest time that a change may be meant for. */
    public static final Duration LONGEST = Duration.ofHours(24);

    /** What is done to the gateway stands there, that somebody would silence it included. */
    private static final String AUDIT = "lychgate.audit";

    /** A logger that was named once stays in memory; no caller shall fill it. */
    private static final int MOST = 1000;

    private static final int LONGEST_NAME = 200;
    private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e&&[^.]]+([. ][\\x21-\\x7e&&[^.]]+)*");
    private static final Set<String> LEVELS = Set.of("off", "error", "warn", "info", "debug", "trace");
    private static final String CHOICES = "off, error, warn, info, debug or trace";

    /** Has something done later, on whatever thread. */
    interface Timer {
        void after(Duration delay, Runnable task);
    }

    /** A change that passes. Compared by identity: a later one may look the same. */
    private static final class Passing {
        private final Instant until;
        private final @Nullable Level before;

        /** @param before the level of its own that the logger had; null if none */
        Passing(Instant until, @Nullable Level before) {
            this.until = until;
            this.before = before;
        }
    }

    private final LoggerContext context;
    private final Clock clock;
    private final Timer timer;
    private final Map<String, Passing> passing = new HashMap<>();
    private int made;

    LogLevels(LoggerContext context, Clock clock, Timer timer) {
        this.context = context;
        this.clock = clock;
        this.timer = timer;
    }

    /** Those of this process; null if it logs by something else than Logback, whose levels are not ours to change. */
    public static @Nullable LogLevels ofProcess() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                ? new LogLevels(context, Clock.systemUTC(), LogLevels::later)
                : null;
    }

    private static void later(Duration delay, Runnable task) {
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                .execute(task);
    }

    /** All loggers that there are, by name, the root first. */
    public synchronized List<LoggerLevel> list() {
        return context.getLoggerList().stream().map(this::shown).toList();
    }

    /**
     * One logger.
     *
     * @param name as {@link #list} tells it, or of a logger that is still to come
     * @throws IllegalArgumentException if it can't be the name of a logger
     */
    public synchronized LoggerLevel of(String name) {
        Logger logger = context.exists(internal(name));
        return logger != null ? shown(logger) : new LoggerLevel(name, null, inherited(name), null, null);
    }

    /**
     * Gives a logger a level of its own.
     *
     * @param name of any logger, one that is still to come too: a filter's before it first runs
     * @param level off, error, warn, info, debug or trace; in capitals if you like
     * @param within how long; null = until the process ends
     * @return what holds now
     * @throws IllegalArgumentException if there is no such level, it can't be the name of a logger or is that of the audit log,
     *     the time is not above 0 and at most {@link #LONGEST}, or a thousand loggers have been made in this way
     */
    public synchronized LoggerLevel set(String name, String level, @Nullable Duration within) {
        Level to = level(level);
        if (within != null && (within.isNegative() || within.isZero() || within.compareTo(LONGEST) > 0)) {
            throw new IllegalArgumentException("a level for " + within + " (expected: above 0, at most 24h)");
        }
        Logger logger = logger(changeable(name));
        Passing earlier = passing.remove(logger.getName());
        if (within != null) {
            Instant until = clock.instant().plus(within);
            Passing now = new Passing(until, earlier == null ? logger.getLevel() : earlier.before);
            passing.put(logger.getName(), now);
            timer.after(within, () -> end(logger, now));
        }
        logger.setLevel(to);
        return shown(logger);
    }

    /**
     * Takes a logger's level away: from now on it has that of the logger above it.
     *
     * @return what holds now
     * @throws IllegalArgumentException for the root, which has none above it, for the audit log, or if it can't be the name of a
     *     logger
     */
    public synchronized LoggerLevel inherit(String name) {
        String internal = changeable(name);
        if (internal.equals(Logger.ROOT_LOGGER_NAME)) {
            throw new IllegalArgumentException("root has no logger above it (expected: " + CHOICES + ")");
        }
        Logger logger = context.exists(internal);
        if (logger == null) {
            return of(name);
        }
        passing.remove(internal);
        logger.setLevel(null);
        return shown(logger);
    }

    private synchronized void end(Logger logger, Passing change) {
        if (passing.get(logger.getName()) == change) {
            passing.remove(logger.getName());
            logger.setLevel(change.before);
        }
    }

    private Logger logger(String internal) {
        Logger there = context.exists(internal);
        if (there != null) {
            return there;
        }
        if (made >= MOST) {
            throw new IllegalArgumentException("a logger that nobody knows, and " + MOST
                    + " of those have a level already (expected: one that is listed)");
        }
        made++;
        return context.getLogger(internal);
    }

    /** What a logger that does not exist would have. */
    private String inherited(String name) {
        String above = name;
        for (int dot = above.lastIndexOf('.'); dot > 0; dot = above.lastIndexOf('.')) {
            above = above.substring(0, dot);
            Logger logger = context.exists(above);
            if (logger != null) {
                return print(logger.getEffectiveLevel());
            }
        }
        return print(context.getLogger(Logger.ROOT_LOGGER_NAME).getEffectiveLevel());
    }

    private LoggerLevel shown(Logger logger) {
        String name = logger.getName();
        Passing change = passing.get(name);
        Level own = logger.getLevel();
        Level before = change == null ? null : change.before;
        return new LoggerLevel(
                name.equals(Logger.ROOT_LOGGER_NAME) ? ROOT : name,
                own == null ? null : print(own),
                print(logger.getEffectiveLevel()),
                change == null ? null : change.until,
                before == null ? null : print(before));
    }

    private static String print(Level level) {
        return level.levelStr.toLowerCase(Locale.ROOT);
    }

    static Level level(String word) {
        if (!LEVELS.contains(word.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("a level '" + shortened(word) + "' (expected: " + CHOICES + ")");
        }
        return Level.valueOf(word);
    }

    private static String changeable(String name) {
        String internal = internal(name);
        if (internal.equals(AUDIT)) {
            throw new IllegalArgumentException(
                    "the level of " + AUDIT + " can't be changed while the process runs (expected: another logger)");
        }
        return internal;
    }

    private static String internal(String name) {
        if (name.equalsIgnoreCase(ROOT)) {
            return Logger.ROOT_LOGGER_NAME;
        }
        if (name.length() > LONGEST_NAME || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a logger '" + shortened(name)
                    + "' (expected: root, or names joined by dots, such as dev.lychgate.exchange, at most "
                    + LONGEST_NAME + " long)");
        }
        return name;
    }

    /** Whoever asks may be told what they asked for, but not without end, nor as more than a line. */
    private static String shortened(String text) {
        String line = text.codePoints()
                .limit(60)
                .map(c -> c >= ' ' && c < 0x7f ? c : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return text.length() > 60 ? line + "..." : line;
    }
}
