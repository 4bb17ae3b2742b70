package dev.lychgate.generation;

import dev.lychgate.config.FaultConfig;
import dev.lychgate.config.FaultsConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A snapshot of all faults in a gateway. Immutable.
 *
 * @param permitted whether a generation in force permits faults; if no generation permits faults, no fault is active
 * @param injected the faults of operators, in the order of their injection
 * @param configured the faults of the configurations in force; faults with equal settings are listed once
 * @param ended the settings of the configured faults that have expired or were stopped; a fault with changed settings
 *     counts as a new fault
 */
record FaultState(boolean permitted, List<FaultRule> injected, List<FaultRule> configured, Set<FaultConfig> ended) {
    /** The state without faults and without permission for faults. */
    static final FaultState OFF = new FaultState(false, List.of(), List.of(), Set.of());

    /** Returns the initial state for configurations that permit faults. */
    static FaultState of(List<FaultRule> configured) {
        return new FaultState(true, List.of(), configured, Set.of());
    }

    /** Returns the active faults, in the order in which they take effect. */
    Stream<FaultRule> active() {
        return Stream.concat(injected.stream(), configured.stream().filter(rule -> !ended.contains(rule.config())));
    }

    /** Returns whether a fault has begun and has neither expired nor been stopped. */
    boolean isActive(FaultRule rule) {
        return rule.source() == FaultRule.Source.OPERATOR
                ? injected.contains(rule)
                : !ended.contains(rule.config()) && isConfigured(rule);
    }

    private boolean isConfigured(FaultRule rule) {
        return configured.stream().anyMatch(other -> other.config().equals(rule.config()));
    }

    /** Returns whether an operator may add {@code rule}. */
    boolean accepts(FaultRule rule) {
        return permitted
                && injected.size() < FaultsConfig.MOST
                && active().noneMatch(other -> other.name().equals(rule.name()));
    }

    /** Returns this state with an additional fault of an operator. */
    FaultState with(FaultRule rule) {
        return new FaultState(
                permitted, Stream.concat(injected.stream(), Stream.of(rule)).toList(), configured, ended);
    }

    /** Returns this state after the end of {@code rule}; the same object if the fault is not active. */
    FaultState without(FaultRule rule) {
        if (!isActive(rule)) {
            return this;
        }
        if (rule.source() == FaultRule.Source.OPERATOR) {
            return new FaultState(
                    permitted,
                    injected.stream().filter(other -> !other.equals(rule)).toList(),
                    configured,
                    ended);
        }
        Set<FaultConfig> all = new HashSet<>(ended);
        all.add(rule.config());
        return new FaultState(permitted, injected, configured, Set.copyOf(all));
    }

    /**
     * Returns this state with two parts replaced: the permission and the configured faults are taken from {@code
     * offered}. If {@code offered} does not permit faults, the faults of operators end.
     */
    FaultState adopting(FaultState offered) {
        Set<FaultConfig> known =
                offered.configured.stream().map(FaultRule::config).collect(Collectors.toSet());
        known.retainAll(ended);
        return new FaultState(
                offered.permitted, offered.permitted ? injected : List.of(), offered.configured, Set.copyOf(known));
    }
}
