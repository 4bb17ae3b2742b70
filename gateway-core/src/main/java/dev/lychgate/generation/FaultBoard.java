package dev.lychgate.generation;

import dev.lychgate.config.FaultConfig;
import dev.lychgate.config.FaultsConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of fault injection that outlives generations: the faults of operators, and the faults of the configuration that have
 * ended. All generations of a gateway share one board; it ends with the process. Changes may lock; reads do not. Any thread.
 */
public final class FaultBoard {
    private static final Logger LOG = LoggerFactory.getLogger(FaultBoard.class);
    /** The log of changes, with those of operators on the admin listener. */
    private static final Logger AUDIT = LoggerFactory.getLogger("lychgate.audit");
    /** The longest time between two checks for expired faults, because the clock may be set. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final InstantSource clock;
    private volatile List<FaultRule> injected = List.of();
    /** Faults of the configuration that have expired or were stopped. A changed fault is another one. */
    private volatile Set<FaultConfig> ended = Set.of();

    private List<FaultRule> configured = List.of();
    private @Nullable ScheduledExecutorService thread;
    private @Nullable ScheduledFuture<?> check;

    /** @param clock the wall clock */
    FaultBoard(InstantSource clock) {
        this.clock = clock;
    }

    /** Sets the thread that ends expired faults. */
    public synchronized void endOn(ScheduledExecutorService own) {
        thread = own;
    }

    Instant now() {
        return clock.instant();
    }

    /** Returns the faults of operators, in the order of their injection. */
    public List<FaultRule> injected() {
        return injected;
    }

    /** Returns the faults of the configuration that have expired or were stopped: the same object until that changes. */
    Set<FaultConfig> ended() {
        return ended;
    }

    private boolean isEnded(FaultRule rule) {
        return ended.contains(rule.config());
    }

    /**
     * Adds a fault of an operator.
     *
     * @return false if there are too many, or an active fault has the same name
     */
    public synchronized boolean inject(FaultRule rule) {
        boolean taken = injected.stream().anyMatch(other -> other.name().equals(rule.name()))
                || configured.stream().anyMatch(other -> other.name().equals(rule.name()) && !isEnded(other));
        if (taken || injected.size() >= FaultsConfig.MOST) {
            return false;
        }
        List<FaultRule> all = new ArrayList<>(injected);
        all.add(rule);
        injected = List.copyOf(all);
        LOG.warn("fault injected by an operator: {}", rule);
        scheduleEnd();
        return true;
    }

    /** Ends a fault before its time. A fault of the configuration stays ended until its settings change, or a restart. */
    public synchronized void stop(FaultRule rule) {
        end(rule, "stopped by an operator");
    }

    /** Takes over the faults of the generations in force. @param all those of their configurations; null if none permits faults */
    synchronized void adopt(@Nullable List<FaultRule> all) {
        // Without faults, the rest would link code that startup does not otherwise need.
        if (all == null && configured.isEmpty() && injected.isEmpty()) {
            return;
        }
        Set<FaultConfig> before = configured.stream().map(FaultRule::config).collect(Collectors.toSet());
        configured = all == null ? List.of() : List.copyOf(all);
        Set<FaultConfig> known = new HashSet<>(ended);
        known.retainAll(configured.stream().map(FaultRule::config).toList());
        ended = Set.copyOf(known);
        if (all == null) {
            injected.forEach(rule -> end(rule, "faults are not enabled any more"));
        }
        for (FaultRule rule : configured) {
            if (!rule.isOver(now()) && before.add(rule.config())) {
                LOG.warn("fault of the configuration is active: {}", rule);
                AUDIT.info("by=\"gateway\" action=faults event=begun name=\"{}\"", rule.name());
            }
        }
        endExpired();
    }

    private synchronized void endExpired() {
        Instant now = now();
        injected.stream().filter(rule -> rule.isOver(now)).forEach(rule -> end(rule, "expired"));
        configured.stream()
                .filter(rule -> rule.isOver(now) && !isEnded(rule))
                .forEach(rule -> end(rule, "expired; remove it from the configuration"));
        scheduleEnd();
    }

    private void end(FaultRule rule, String why) {
        if (rule.source() == FaultRule.Source.OPERATOR) {
            injected = injected.stream().filter(other -> other != rule).toList();
        } else {
            Set<FaultConfig> all = new HashSet<>(ended);
            all.add(rule.config());
            ended = Set.copyOf(all);
        }
        LOG.warn("fault {} ended: {}", rule.name(), why);
        AUDIT.info("by=\"gateway\" action=faults event=ended name=\"{}\" reason=\"{}\"", rule.name(), why);
    }

    private void scheduleEnd() {
        ScheduledExecutorService own = thread;
        if (check != null) {
            check.cancel(false);
            check = null;
        }
        List<FaultRule> all = new ArrayList<>(injected);
        configured.stream().filter(rule -> !isEnded(rule)).forEach(all::add);
        if (own == null || all.isEmpty()) {
            return;
        }
        Duration wait = LONGEST_WAIT;
        for (FaultRule rule : all) {
            Duration left = Duration.between(now(), rule.until());
            wait = left.compareTo(wait) < 0 ? left : wait;
        }
        try {
            check = own.schedule(this::endExpired, Math.max(1, wait.toMillis() + 1), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the gateway ends, and its faults with it");
        }
    }
}
