package dev.lychgate.gateway;

import dev.lychgate.generation.Generation;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.generation.Traffic;
import dev.lychgate.resilience.OverloadLadder;
import dev.lychgate.resilience.OverloadLadder.Position;
import dev.lychgate.resilience.OverloadLadder.Rung;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs when the overload ladder of an upstream reaches or leaves a rung. A ladder computes its rung only when the rung
 * is read, so a check reads every ladder once per second. Each check logs at most one line per upstream. While no
 * generation in force has the section {@code overload}, no check is scheduled. {@link #watch} is thread-safe; the
 * checks run on the watchdog thread.
 */
final class LadderWatch {
    private static final Logger LOG = LoggerFactory.getLogger(LadderWatch.class);
    private static final long TICK = TimeUnit.SECONDS.toNanos(1);

    private final ScheduledExecutorService thread;
    private volatile boolean watches;

    // The following fields are used on the watchdog thread only.
    private final Map<String, Rung> known = new HashMap<>();

    /**
     * The watched generations; empty if no generation has the section {@code overload}, so that no generation is kept
     * in memory.
     */
    private List<Generation> watched = List.of();

    private @Nullable ScheduledFuture<?> checks;

    /**
     * Creates a watch, and watches the ladders of {@code traffic}.
     *
     * @param thread runs the checks
     */
    LadderWatch(Traffic traffic, ScheduledExecutorService thread) {
        this.thread = thread;
        watch(traffic);
    }

    /** Watches the ladders of these generations from now on. */
    void watch(Traffic next) {
        boolean needed = next.generations().stream().anyMatch(generation -> generation.overload() != null);
        if (needed || watches) {
            watches = needed;
            thread.execute(() -> adopt(next, needed));
        }
    }

    private void adopt(Traffic next, boolean needed) {
        watched = needed ? next.generations() : List.of();
        if (needed && checks == null) {
            checks = thread.scheduleAtFixedRate(this::check, TICK, TICK, TimeUnit.NANOSECONDS);
        } else if (!needed && checks != null) {
            checks.cancel(false);
            checks = null;
            known.clear();
        }
    }

    private void check() {
        Set<String> present = new HashSet<>();
        watched.stream().map(Generation::overload).forEach(policy -> {
            if (policy != null) {
                policy.ladders().forEach((upstream, ladder) -> {
                    // Stable generation and candidate share the ladder of an upstream. The settings of the stable
                    // generation determine the logged rung.
                    if (present.add(upstream)) {
                        check(upstream, policy, ladder);
                    }
                });
            }
        });
        known.keySet().retainAll(present);
    }

    private void check(String upstream, OverloadPolicy policy, OverloadLadder ladder) {
        Position position = policy.position(ladder);
        Rung now = position.rung();
        Rung before = known.getOrDefault(upstream, Rung.NORMAL);
        if (now == before) {
            return;
        }
        known.put(upstream, now);
        boolean up = now.compareTo(before) > 0;
        LOG.atLevel(up && now != Rung.LIMIT ? Level.WARN : Level.INFO)
                .log(
                        "overload rung {}: upstream={}, rung={}, before={}, reason={}, shed={}, limited={}; {}",
                        up ? "raised" : "lowered",
                        upstream,
                        now.label(),
                        before.label(),
                        position.reason() == null ? "none" : position.reason().label(),
                        ladder.shed(),
                        ladder.limited(),
                        consequence(now));
    }

    private static String consequence(Rung rung) {
        return switch (rung) {
            case NORMAL -> "no request is refused";
            case LIMIT -> "rate limits refuse requests";
            case SHED -> "requests with low priority are shed";
            case BROWNOUT -> "a brown-out is signaled to filters";
            case STALE -> "requests with low priority get stale responses of the cache";
            case PAGE -> "shed requests get the fixed page";
        };
    }
}
