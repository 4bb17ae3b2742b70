package dev.lychgate.generation;

import dev.lychgate.config.FaultConfig;
import dev.lychgate.config.FaultsConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of fault injection that outlives generations: the faults of operators, and the faults of the configuration that have
 * ended. All generations of a gateway share one board; it ends with the process. Nothing blocks. Any thread.
 */
public final class FaultBoard {
    private static final Logger LOG = LoggerFactory.getLogger(FaultBoard.class);
    /** The log of changes, with those of operators on the admin listener. */
    private static final Logger AUDIT = LoggerFactory.getLogger("lychgate.audit");
    /** The longest time between two checks for expired faults, because the clock may be set. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final AtomicReference<State> state = new AtomicReference<>(new State(List.of(), List.of(), Set.of()));
    private final AtomicReference<@Nullable ScheduledFuture<?>> check = new AtomicReference<>();
    private volatile @Nullable ScheduledExecutorService thread;

    /**
     * An immutable snapshot.
     *
     * @param injected the faults of operators, in the order of their injection
     * @param configured those of the configurations in force
     * @param ended faults of the configuration that have expired or were stopped. A changed fault is another one
     */
    private record State(List<FaultRule> injected, List<FaultRule> configured, Set<FaultConfig> ended) {
        Stream<FaultRule> active() {
            return Stream.concat(
                    injected.stream(), configured.stream().filter(rule -> !ended.contains(rule.config())));
        }

        boolean isActive(FaultRule rule) {
            return rule.source() == FaultRule.Source.OPERATOR
                    ? injected.contains(rule)
                    : !ended.contains(rule.config());
        }

        State with(FaultRule rule) {
            return new State(
                    Stream.concat(injected.stream(), Stream.of(rule)).toList(), configured, ended);
        }

        State without(FaultRule rule) {
            if (rule.source() == FaultRule.Source.OPERATOR) {
                return new State(
                        injected.stream().filter(other -> other != rule).toList(), configured, ended);
            }
            Set<FaultConfig> all = new HashSet<>(ended);
            all.add(rule.config());
            return new State(injected, configured, Set.copyOf(all));
        }

        State of(List<FaultRule> configurations) {
            Set<FaultConfig> known = new HashSet<>(ended);
            known.retainAll(configurations.stream().map(FaultRule::config).toList());
            return new State(injected, List.copyOf(configurations), Set.copyOf(known));
        }
    }

    /** @param clock the wall clock */
    FaultBoard(InstantSource clock) {
        this.clock = clock;
    }

    /** Sets the thread that ends expired faults. */
    public void endOn(ScheduledExecutorService own) {
        thread = own;
    }

    Instant now() {
        return clock.instant();
    }

    /** Returns the faults of operators, in the order of their injection. */
    public List<FaultRule> injected() {
        return state.get().injected();
    }

    /** Returns the faults of the configuration that have expired or were stopped: the same object until that changes. */
    Set<FaultConfig> ended() {
        return state.get().ended();
    }

    /**
     * Adds a fault of an operator.
     *
     * @return false if there are too many, or an active fault has the same name
     */
    public boolean inject(FaultRule rule) {
        State before;
        do {
            before = state.get();
            boolean taken =
                    before.active().anyMatch(other -> other.name().equals(rule.name()));
            if (taken || before.injected().size() >= FaultsConfig.MOST) {
                return false;
            }
        } while (!state.compareAndSet(before, before.with(rule)));
        LOG.warn("fault injected by an operator: {}", rule);
        scheduleCheck();
        return true;
    }

    /** Ends a fault before its time. A fault of the configuration stays ended until its settings change, or a restart. */
    public void stop(FaultRule rule) {
        end(rule, "stopped by an operator");
    }

    /** Takes over the faults of the generations in force. @param all those of their configurations; null if none permits faults */
    void adopt(@Nullable List<FaultRule> all) {
        State now = state.get();
        // Without faults, the rest would link code that startup does not otherwise need.
        if (all == null && now.configured().isEmpty() && now.injected().isEmpty()) {
            return;
        }
        List<FaultRule> configured = all == null ? List.of() : all;
        State before = state.getAndUpdate(current -> current.of(configured));
        if (all == null) {
            injected().forEach(rule -> end(rule, "faults are not enabled any more"));
        }
        Set<FaultConfig> known =
                before.configured().stream().map(FaultRule::config).collect(Collectors.toSet());
        for (FaultRule rule : configured) {
            if (!rule.isOver(now()) && known.add(rule.config())) {
                LOG.warn("fault of the configuration is active: {}", rule);
                AUDIT.info("by=\"gateway\" action=faults event=begun name=\"{}\"", rule.name());
            }
        }
        endExpired();
    }

    private void endExpired() {
        Instant now = now();
        for (FaultRule rule : state.get().active().toList()) {
            if (rule.isOver(now)) {
                boolean isOfFile = rule.source() == FaultRule.Source.CONFIGURATION;
                end(rule, isOfFile ? "expired; remove it from the configuration" : "expired");
            }
        }
        scheduleCheck();
    }

    private void end(FaultRule rule, String why) {
        if (state.getAndUpdate(current -> current.without(rule)).isActive(rule)) {
            LOG.warn("fault {} ended: {}", rule.name(), why);
            AUDIT.info("by=\"gateway\" action=faults event=ended name=\"{}\" reason=\"{}\"", rule.name(), why);
        }
    }

    /** Schedules the check for the first fault that expires; an earlier check is cancelled. */
    private void scheduleCheck() {
        ScheduledExecutorService own = thread;
        List<FaultRule> all = state.get().active().toList();
        ScheduledFuture<?> next = null;
        if (own != null && !all.isEmpty()) {
            Duration wait = LONGEST_WAIT;
            for (FaultRule rule : all) {
                Duration left = Duration.between(now(), rule.until());
                wait = left.compareTo(wait) < 0 ? left : wait;
            }
            try {
                next = own.schedule(this::endExpired, Math.max(1, wait.toMillis() + 1), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                LOG.debug("the gateway ends, and its faults with it");
            }
        }
        ScheduledFuture<?> before = check.getAndSet(next);
        if (before != null) {
            before.cancel(false);
        }
    }
}
