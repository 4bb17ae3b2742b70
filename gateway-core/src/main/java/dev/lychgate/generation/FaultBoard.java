package dev.lychgate.generation;

import dev.lychgate.config.FaultConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the state of fault injection until the process ends. The state contains the faults that operators have
 * injected, and the configured faults that are in force or have ended. All generations of a gateway share one board.
 * Each change replaces the snapshot by compare-and-set, so that no change is lost if operators, reloads and expiries
 * change the faults concurrently. Thread-safe; no method blocks.
 */
public final class FaultBoard {
    private static final Logger LOG = LoggerFactory.getLogger(FaultBoard.class);
    /** The log of all changes, including changes by operators on the admin listener. */
    private static final Logger AUDIT = LoggerFactory.getLogger("lychgate.audit");
    /**
     * The longest time between two checks for expired faults. It is short, because the wall clock may be adjusted
     * between two checks.
     */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final AtomicReference<FaultState> state = new AtomicReference<>(FaultState.OFF);
    private volatile @Nullable Watch watch;

    /** Ends expired faults on its thread, and reports the end of faults. */
    private final class Watch {
        private final ScheduledExecutorService thread;
        private final Runnable onEnd;
        /** The next check for expired faults. Used on {@link #thread} only. */
        private @Nullable ScheduledFuture<?> next;

        Watch(ScheduledExecutorService thread, Runnable onEnd) {
            this.thread = thread;
            this.onEnd = onEnd;
        }

        /** Ends expired faults on the thread, and schedules the next check for the time when the next fault expires. */
        void checkSoon() {
            try {
                thread.execute(this::check);
            } catch (RejectedExecutionException e) {
                LOG.debug("faults are no longer checked for expiry, because the gateway has stopped");
            }
        }

        private void check() {
            endExpired();
            if (next != null) {
                next.cancel(false);
            }
            Duration wait = nextExpiry();
            next = wait == null ? null : thread.schedule(this::check, wait.toMillis() + 1, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Creates a board without faults.
     *
     * @param clock the wall clock
     */
    FaultBoard(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Ends expired faults from now on, even if no request arrives.
     *
     * @param thread one thread, such as an event loop, that accepts tasks without blocking their caller
     * @param onEnd called on any thread after faults have ended; releases exchanges that these faults still delay or
     *     slow down
     */
    public void watch(ScheduledExecutorService thread, Runnable onEnd) {
        Watch started = new Watch(thread, onEnd);
        watch = started;
        if (state().permitted()) {
            started.checkSoon();
        }
    }

    Instant now() {
        return clock.instant();
    }

    /** Returns the current snapshot. All calls return one object until a fault begins or ends. */
    FaultState state() {
        return Objects.requireNonNull(state.get());
    }

    /** Replaces the snapshot, and returns the previous snapshot. */
    private FaultState replace(UnaryOperator<FaultState> change) {
        return Objects.requireNonNull(state.getAndUpdate(change));
    }

    /** Returns whether a generation in force permits faults. */
    public boolean isPermitted() {
        return state().permitted();
    }

    /**
     * Returns the faults that are active at {@code now}, including faults of a candidate. Faults of operators precede
     * faults of the configuration.
     */
    public List<FaultRule> active(Instant now) {
        return state().active().filter(rule -> !rule.isOver(now)).toList();
    }

    /** Returns the faults of operators, in the order of their injection. */
    public List<FaultRule> injected() {
        return state().injected();
    }

    /**
     * Adds a fault of an operator.
     *
     * @return false if faults are not enabled, if operators have injected the maximum number of faults, or if an active
     *     fault has the name of {@code rule}
     */
    public boolean inject(FaultRule rule) {
        FaultState before;
        do {
            before = state();
            if (!before.accepts(rule)) {
                return false;
            }
        } while (!state.compareAndSet(before, before.with(rule)));
        LOG.warn("fault injected by an operator: {}", rule);
        checkSoon();
        return true;
    }

    /**
     * Ends a fault before it expires. A fault of the configuration stays ended until its settings change or the gateway
     * restarts.
     *
     * @return false if the fault had already ended
     */
    public boolean stop(FaultRule rule) {
        return end(rule, "stopped by an operator");
    }

    /**
     * Adopts the faults of the generations in force.
     *
     * @param all the faults of their configurations; null if no configuration permits faults
     */
    void adopt(@Nullable List<FaultRule> all) {
        // Without faults, returns early, because the code below would load classes that startup does not otherwise
        // need.
        if (all == null && !state().permitted()) {
            return;
        }
        FaultState offered = all == null ? FaultState.OFF : FaultState.of(distinct(all));
        FaultState before = replace(current -> current.adopting(offered));
        FaultState after = before.adopting(offered);
        List<FaultRule> over =
                before.active().filter(rule -> !after.isActive(rule)).toList();
        over.forEach(rule ->
                logEnd(rule, after.permitted() ? "removed from the configuration" : "faults are no longer enabled"));
        after.active()
                .filter(rule -> !before.isActive(rule) && !rule.isOver(now()))
                .forEach(FaultBoard::logBegin);
        if (!over.isEmpty()) {
            onEnd();
        }
        checkSoon();
    }

    /**
     * Returns the faults without duplicates, because both generations of a rollout usually configure the same faults.
     */
    private static List<FaultRule> distinct(List<FaultRule> all) {
        Map<FaultConfig, FaultRule> distinct = new LinkedHashMap<>();
        all.forEach(rule -> distinct.putIfAbsent(rule.config(), rule));
        return List.copyOf(distinct.values());
    }

    private void endExpired() {
        Instant now = now();
        state().active().filter(rule -> rule.isOver(now)).forEach(rule -> {
            boolean isOfFile = rule.source() == FaultRule.Source.CONFIGURATION;
            end(rule, isOfFile ? "expired; remove it from the configuration" : "expired");
        });
    }

    /** Returns the time until the next check; null if no fault is active. */
    private @Nullable Duration nextExpiry() {
        Instant now = now();
        return state().active()
                .map(rule -> Duration.between(now, rule.until()))
                .min(Duration::compareTo)
                .map(left -> left.isNegative() ? Duration.ZERO : left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT)
                .orElse(null);
    }

    private boolean end(FaultRule rule, String why) {
        boolean wasActive = replace(current -> current.without(rule)).isActive(rule);
        if (wasActive) {
            logEnd(rule, why);
            onEnd();
        }
        return wasActive;
    }

    private void onEnd() {
        Watch started = watch;
        if (started != null) {
            started.onEnd.run();
        }
    }

    private void checkSoon() {
        Watch started = watch;
        if (started != null) {
            started.checkSoon();
        }
    }

    private static void logBegin(FaultRule rule) {
        LOG.warn("configured fault is active: {}", rule);
        AUDIT.info("by=\"gateway\" action=faults event=begun name=\"{}\"", rule.name());
    }

    private static void logEnd(FaultRule rule, String why) {
        LOG.warn("fault {} ended: {}", rule.name(), why);
        AUDIT.info("by=\"gateway\" action=faults event=ended name=\"{}\" reason=\"{}\"", rule.name(), why);
    }
}
