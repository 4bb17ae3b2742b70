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
 * The levels of the process's loggers, and changes of these levels at run time. A change applies at once, and lasts
 * until the process ends or for a limited time. If temporary changes of a logger overlap, the logger keeps the newest
 * level until the time of this level ends. The logger then returns to the level that it had before the overlapping
 * changes.
 *
 * <p>Thread-safe. A call may wait for another call, so event loops must not call these methods.
 */
public final class LogLevels {
    /** The name of the root logger. */
    public static final String ROOT = "root";

    /** Longest duration of a temporary change. */
    public static final Duration LONGEST = Duration.ofHours(24);

    /**
     * The logger of the audit log, which records changes to the gateway. The level of this logger can't be changed, so
     * that operators can't silence the audit log.
     */
    private static final String AUDIT = "lychgate.audit";

    /**
     * The maximum number of loggers that callers can create. The number is limited, because a created logger stays in
     * memory until the process ends.
     */
    private static final int MOST = 1000;

    private static final int LONGEST_NAME = 200;
    private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e&&[^.]]+([. ][\\x21-\\x7e&&[^.]]+)*");
    private static final Set<String> LEVELS = Set.of("off", "error", "warn", "info", "debug", "trace");
    private static final String CHOICES = "off, error, warn, info, debug or trace";

    /** Runs a task later, on any thread. */
    interface Timer {
        void after(Duration delay, Runnable task);
    }

    /** A temporary change. Changes are compared by identity, because two changes may have the same values. */
    private static final class Passing {
        private final Instant until;
        private final @Nullable Level before;

        /** @param before the logger's explicit level before the change; null if the logger had no explicit level */
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

    /** Returns the levels of this process; null if the process does not log through Logback. */
    public static @Nullable LogLevels ofProcess() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                ? new LogLevels(context, Clock.systemUTC(), LogLevels::later)
                : null;
    }

    private static void later(Duration delay, Runnable task) {
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                .execute(task);
    }

    /** Returns all existing loggers by name, the root first. */
    public synchronized List<LoggerLevel> list() {
        return context.getLoggerList().stream().map(this::shown).toList();
    }

    /**
     * Returns the levels of one logger.
     *
     * @param name the name of a logger, which need not exist yet
     * @throws IllegalArgumentException if the name is malformed
     */
    public synchronized LoggerLevel of(String name) {
        Logger logger = context.exists(internal(name));
        return logger != null ? shown(logger) : new LoggerLevel(name, null, inherited(name), null, null);
    }

    /**
     * Sets the explicit level of a logger.
     *
     * @param name the name of a logger. The logger need not exist yet, for example because its filter has not run
     * @param level off, error, warn, info, debug or trace, in upper or lower case
     * @param within duration of the change, above 0 and at most {@link #LONGEST}; null for a change that lasts until
     *     the process ends
     * @return the levels in force
     * @throws IllegalArgumentException if an argument is invalid, the logger belongs to the audit log, or a thousand
     *     loggers have already been created
     */
    public synchronized LoggerLevel set(String name, String level, @Nullable Duration within) {
        Level to = level(level);
        if (within != null && (within.isNegative() || within.isZero() || within.compareTo(LONGEST) > 0)) {
            throw new IllegalArgumentException(
                    "duration of the level: " + within + " (expected: above 0, at most 24h)");
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
     * Removes a logger's explicit level, so that it inherits the level of its parent.
     *
     * @return the levels in force
     * @throws IllegalArgumentException if the name is malformed, or if it is the name of the root (which has no parent)
     *     or of the audit log
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
            throw new IllegalArgumentException(
                    "the limit of " + MOST + " created loggers is reached (expected: a logger that is listed)");
        }
        made++;
        return context.getLogger(internal);
    }

    /** Returns the level that a logger with this name would inherit. */
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
            throw new IllegalArgumentException("unknown level '" + shortened(word) + "' (expected: " + CHOICES + ")");
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
            throw new IllegalArgumentException("malformed logger name '" + shortened(name)
                    + "' (expected: root, or names joined by dots, such as dev.lychgate.exchange, at most "
                    + LONGEST_NAME + " long)");
        }
        return name;
    }

    /** Returns the caller's text for use in an error message: shortened, and on one line. */
    private static String shortened(String text) {
        String line = text.codePoints()
                .limit(60)
                .map(c -> c >= ' ' && c < 0x7f ? c : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return text.length() > 60 ? line + "..." : line;
    }
}
