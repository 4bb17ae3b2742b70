package dev.lychgate.generation;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FaultConfig;
import dev.lychgate.config.FaultsConfig;
import dev.lychgate.config.RegexBudget;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.route.Route;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The faults that may affect requests of one generation: the faults of its configuration, and the faults that operators
 * have injected. Injected faults outlive the generation. If the configuration does not enable faults, the generation
 * has no plan. Thread-safe; no method blocks.
 */
public final class FaultPlan {
    private static final String RULES = "faults.rules";

    private final FaultBoard board;
    private final List<FaultRule> configured;
    private volatile Active active = new Active(FaultState.OFF, List.of());

    /** The faults that may affect requests while {@code state} is the snapshot of the board. */
    private record Active(FaultState state, List<FaultRule> rules) {}

    private FaultPlan(FaultBoard board, List<FaultRule> configured) {
        this.board = board;
        this.configured = configured;
    }

    /**
     * Returns the plan of a generation; null if faults are not enabled.
     *
     * @throws ConfigException if a predicate is malformed
     */
    static @Nullable FaultPlan of(FaultsConfig config, FaultBoard board) {
        if (!config.enabled()) {
            return null;
        }
        List<FaultRule> rules = new ArrayList<>();
        RegexBudget budget = new RegexBudget(RULES);
        for (int i = 0; i < config.rules().size(); i++) {
            FaultConfig rule = config.rules().get(i);
            rules.add(compile(i, rule, budget));
        }
        return new FaultPlan(board, List.copyOf(rules));
    }

    /** Returns all errors in these settings, in the order of the file. A generation with such errors is refused. */
    public static List<ConfigException> refusals(FaultsConfig config) {
        List<ConfigException> all = new ArrayList<>();
        RegexBudget budget = new RegexBudget(RULES);
        for (int i = 0; i < config.rules().size(); i++) {
            try {
                compile(i, config.rules().get(i), budget);
            } catch (ConfigException e) {
                all.add(e);
                Stream.of(e.getSuppressed()).forEach(more -> all.add((ConfigException) more));
            }
        }
        return all;
    }

    private static FaultRule compile(int index, FaultConfig rule, RegexBudget budget) {
        return FaultRule.compile(RULES + "[" + index + "]", rule, FaultRule.Source.CONFIGURATION, budget);
    }

    /** Returns the faults of the configuration, including expired and stopped faults. */
    public List<FaultRule> configured() {
        return configured;
    }

    /**
     * Returns the faults that are active at {@code now}: first the faults of operators, then the faults of the
     * configuration.
     */
    public List<FaultRule> active(Instant now) {
        return rules().stream().filter(rule -> !rule.isOver(now)).toList();
    }

    /**
     * Returns whether a fault is in force. A fault that has just expired is in force until the next check for expired
     * faults.
     */
    public boolean isActive(FaultRule rule) {
        return board.state().isActive(rule);
    }

    /**
     * Returns the faults that may affect requests. Selects them again only after the board has replaced its snapshot,
     * so that ended faults cost nothing per request. Snapshots are compared by identity.
     */
    @SuppressWarnings("ReferenceEquality")
    private List<FaultRule> rules() {
        FaultState now = board.state();
        Active known = active;
        if (known.state != now) {
            List<FaultRule> rules = new ArrayList<>(now.injected());
            configured.stream().filter(now::isActive).forEach(rules::add);
            known = new Active(now, List.copyOf(rules));
            active = known;
        }
        return known.rules;
    }

    /**
     * Returns the faults that hit a request, in the order in which they take effect. Each fault is tested independently
     * of all other faults. The caller owns the list. Allocates nothing if no fault hits.
     *
     * @param random draws the random numbers for the shares of faults; owned by the calling thread
     */
    public List<FaultRule> hits(Route route, RequestHead head, Ingress ingress, RandomGenerator random) {
        List<FaultRule> rules = rules();
        List<FaultRule> hits = List.of();
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
