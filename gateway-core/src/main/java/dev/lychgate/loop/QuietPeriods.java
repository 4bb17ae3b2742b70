package dev.lychgate.loop;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Rate limit for log lines about events of several kinds, so that frequent events of one kind do not hide events of
 * another kind. Each kind has its own {@link QuietPeriod}. Kinds beyond the first {@value #MOST} share one. Thread-safe.
 */
public final class QuietPeriods {
    static final int MOST = 16;

    private final ConcurrentMap<String, QuietPeriod> kinds = new ConcurrentHashMap<>();
    private final QuietPeriod others = new QuietPeriod();

    /**
     * Records an event and decides whether to log it.
     *
     * @param now the current time, in nanoseconds
     * @return as {@link QuietPeriod#tell}
     */
    public @Nullable String tell(String kind, long now) {
        QuietPeriod known = kinds.get(kind);
        if (known == null) {
            known = kinds.size() < MOST ? kinds.computeIfAbsent(kind, each -> new QuietPeriod()) : others;
        }
        return known.tell(now);
    }
}
