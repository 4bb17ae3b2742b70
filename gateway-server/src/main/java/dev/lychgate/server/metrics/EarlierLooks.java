package dev.lychgate.server.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Earlier looks at counts that only grow. A new look is compared with the one of ten seconds before. Nothing is kept, and
 * nothing is done, while no look is taken. Not thread-safe.
 *
 * @param <T> what a look finds
 */
final class EarlierLooks<T> {
    private static final Duration WINDOW = Duration.ofSeconds(10);
    /** More looks than that are not needed within the window, however many clients look. */
    private static final Duration APART = Duration.ofSeconds(2);

    /** @param at when it was taken */
    record Look<T>(Instant at, T found) {
        /** Returns the seconds between an earlier look and this one. */
        double secondsSince(Look<T> earlier) {
            return Duration.between(earlier.at, at).toNanos() / 1e9;
        }
    }

    private final Deque<Look<T>> looks = new ArrayDeque<>();

    /** Returns what the latest look found; null if there was none. */
    @Nullable
    T latest() {
        Look<T> last = looks.peekLast();
        return last == null ? null : last.found();
    }

    /** Adds a look. @return the earlier one to compare it with; null for the first one */
    @Nullable
    Look<T> add(Look<T> now) {
        looks.removeIf(look -> age(look, now).compareTo(WINDOW.multipliedBy(2)) > 0);
        while (looks.size() > 1 && age(second(), now).compareTo(WINDOW) >= 0) {
            looks.removeFirst();
        }
        Look<T> before = looks.peekFirst();
        if (looks.isEmpty() || age(looks.getLast(), now).compareTo(APART) >= 0) {
            looks.addLast(now);
        }
        return before;
    }

    private Look<T> second() {
        return looks.stream().skip(1).findFirst().orElseThrow();
    }

    private static <T> Duration age(Look<T> look, Look<T> now) {
        return Duration.between(look.at(), now.at());
    }
}
