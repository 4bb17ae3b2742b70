package dev.lychgate.generation;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FaultConfig;
import dev.lychgate.config.FaultsConfig;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.route.Route;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The faults that requests of one generation may meet: those of its configuration, and those of operators, which outlive it. A
 * generation without permission for faults has no plan. Thread-safe; nothing blocks.
 */
public final class FaultPlan {
    private final FaultBoard board;
    private final List<FaultRule> configured;
    private volatile Remaining remaining;

    /** The faults of the configuration that have not ended. @param ended those that have */
    private record Remaining(Set<FaultConfig> ended, List<FaultRule> rules) {}

    private FaultPlan(FaultBoard board, List<FaultRule> configured) {
        this.board = board;
        this.configured = configured;
        this.remaining = new Remaining(Set.of(), configured);
    }

    /** Returns the plan of a generation; null if faults are not enabled. @throws ConfigException if a predicate is malformed */
    static @Nullable FaultPlan of(FaultsConfig config, FaultBoard board) {
        if (!config.enabled()) {
            return null;
        }
        List<FaultRule> rules = new ArrayList<>();
        for (int i = 0; i < config.rules().size(); i++) {
            FaultConfig rule = config.rules().get(i);
            rules.add(FaultRule.compile("faults.rules[" + i + "]", rule, FaultRule.Source.CONFIGURATION));
        }
        return new FaultPlan(board, List.copyOf(rules));
    }

    /** Returns every fault for which a generation with these settings is refused, in the order of the file. */
    public static List<ConfigException> refusals(FaultsConfig config) {
        List<ConfigException> all = new ArrayList<>();
        for (int i = 0; i < config.rules().size(); i++) {
            try {
                FaultRule.compile("faults.rules[" + i + "]", config.rules().get(i), FaultRule.Source.CONFIGURATION);
            } catch (ConfigException e) {
                all.add(e);
                Stream.of(e.getSuppressed()).forEach(more -> all.add((ConfigException) more));
            }
        }
        return all;
    }

    /** Returns the faults of the configuration, including those that have expired or were stopped. */
    public List<FaultRule> configured() {
        return configured;
    }

    /** Returns the faults that are active at a time: those of operators, then those of the configuration. */
    public List<FaultRule> active(Instant now) {
        return Stream.concat(board.injected().stream(), remaining().stream())
                .filter(rule -> !rule.isOver(now))
                .toList();
    }

    /** Compares identities: an expired fault is removed once, and costs nothing from then on. */
    @SuppressWarnings("ReferenceEquality")
    private List<FaultRule> remaining() {
        Remaining known = remaining;
        Set<FaultConfig> ended = board.ended();
        if (known.ended != ended) {
            known = new Remaining(
                    ended,
                    configured.stream()
                            .filter(rule -> !ended.contains(rule.config()))
                            .toList());
            remaining = known;
        }
        return known.rules;
    }

    /**
     * Returns the faults that hit a request, in the order in which they take effect. Each fault decides independently of the
     * others. Allocates nothing if there is none.
     *
     * @param random owned by the calling thread
     */
    public List<FaultRule> hits(Route route, RequestHead head, Ingress ingress, RandomGenerator random) {
        List<FaultRule> hits = add(List.of(), board.injected(), route, head, ingress, random);
        return add(hits, remaining(), route, head, ingress, random);
    }

    private List<FaultRule> add(
            List<FaultRule> to,
            List<FaultRule> rules,
            Route route,
            RequestHead head,
            Ingress ingress,
            RandomGenerator random) {
        List<FaultRule> hits = to;
        for (int i = 0; i < rules.size(); i++) {
            FaultRule rule = rules.get(i);
            if (rule.hits(route, head, ingress, random) && !rule.isOver(board.now())) {
                hits = hits.isEmpty() ? new ArrayList<>(2) : hits;
                hits.add(rule);
            }
        }
        return hits;
    }
}
