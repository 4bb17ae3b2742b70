package dev.lychgate.resilience;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.LimitConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Resilience state of one upstream, for the whole process. Built with each generation, off the event loops. The tally
 * always carries over to the next generation; other components carry over if their settings are unchanged. Immutable
 * except for its components.
 */
public final class Protection {
    private final UpstreamResilience config;
    private final int loops;
    private final AttemptTally tally;
    private final RetryBudget budget;
    /** By endpoint authority. A breaker that all endpoints share has the empty key. Empty if there is no breaker. */
    private final Map<String, CircuitBreaker> breakers;

    /** By loop; empty without a bulkhead. */
    private final List<Bulkhead.LoopView> places;
    /** By loop; empty without an adaptive limit. */
    private final List<AdaptiveLimit> limits;
    /** By loop, for all endpoints; null if each endpoint has its own. */
    private final @Nullable List<Guards> common;
    /** By endpoint authority, then by loop, if each endpoint has its own. */
    private final Map<String, List<Guards>> own = new HashMap<>();

    private Protection(UpstreamConfig upstream, int loops, @Nullable Protection before) {
        this.config = upstream.resilience();
        this.loops = loops;
        this.tally = before == null ? new AttemptTally(loops) : before.tally;
        this.budget = before != null && before.config.retryBudget().equals(config.retryBudget())
                ? before.budget
                : new RetryBudget(config.retryBudget(), loops);
        this.breakers = breakers(upstream, before);
        this.places = before != null && Objects.equals(before.config.bulkhead(), config.bulkhead())
                ? before.places
                : places(config.bulkhead());
        LimitConfig limit = config.limit();
        this.limits = before != null && Objects.equals(before.config.limit(), limit)
                ? before.limits
                : limit == null ? List.of() : perLoop(i -> new AdaptiveLimit(limit, loops));
        this.common = isPerEndpoint() ? null : inOrder(breakers.get(""));
        if (isPerEndpoint()) {
            breakers.forEach((authority, breaker) -> own.put(authority, inOrder(breaker)));
        }
    }

    /** Creates the state of {@code upstream}. @param loops number of event loops */
    public static Protection of(UpstreamConfig upstream, int loops) {
        return new Protection(upstream, loops, null);
    }

    /** Creates the state for the next generation; components with unchanged settings carry over. */
    public Protection next(UpstreamConfig upstream) {
        return new Protection(upstream, loops, this);
    }

    private Map<String, CircuitBreaker> breakers(UpstreamConfig upstream, @Nullable Protection before) {
        BreakerConfig breaker = config.breaker();
        if (breaker == null) {
            return Map.of();
        }
        Map<String, CircuitBreaker> kept =
                before != null && breaker.equals(before.config.breaker()) ? before.breakers : Map.of();
        Map<String, CircuitBreaker> held = before == null ? Map.of() : before.breakers;
        List<String> names = breaker.perEndpoint()
                ? upstream.endpoints().stream().map(EndpointConfig::authority).toList()
                : List.of("");
        Map<String, CircuitBreaker> all = new HashMap<>();
        for (String name : names) {
            CircuitBreaker known = kept.get(name);
            all.put(name, known != null ? known : fresh(breaker, held.get(name)));
        }
        return all;
    }

    /** Creates a breaker for changed settings, which keeps only the operator's override. */
    private CircuitBreaker fresh(BreakerConfig settings, @Nullable CircuitBreaker before) {
        CircuitBreaker fresh = new CircuitBreaker(settings, loops);
        if (before != null) {
            fresh.force(before.hold(), System.nanoTime());
        }
        return fresh;
    }

    private List<Bulkhead.LoopView> places(@Nullable BulkheadConfig settings) {
        if (settings == null) {
            return List.of();
        }
        Bulkhead bulkhead = new Bulkhead(settings, loops);
        return perLoop(i -> bulkhead.forLoop());
    }

    private <T> List<T> perLoop(IntFunction<T> make) {
        return IntStream.range(0, loops).mapToObj(make).toList();
    }

    private List<Guards> inOrder(@Nullable CircuitBreaker breaker) {
        return perLoop(i -> {
            List<Guard> order = new ArrayList<>();
            if (breaker != null) {
                order.add(breaker.onLoop(i));
            }
            if (!places.isEmpty()) {
                order.add(places.get(i));
            }
            if (!limits.isEmpty()) {
                order.add(limits.get(i));
            }
            return Guards.of(order);
        });
    }

    /**
     * Returns the guards of an attempt.
     *
     * @param loop the loop's index
     * @param authority authority of the selected endpoint
     */
    public Guards guards(int loop, String authority) {
        List<Guards> each = common != null ? common : own.get(authority);
        return each == null ? Guards.NONE : each.get(loop);
    }

    /** Returns whether each endpoint has its own circuit breaker. */
    public boolean isPerEndpoint() {
        BreakerConfig breaker = config.breaker();
        return breaker != null && breaker.perEndpoint();
    }

    /** Returns whether the endpoint's own circuit would refuse an attempt, for endpoint selection. */
    public boolean isRefusing(String authority, long now) {
        CircuitBreaker own = breakers.get(authority);
        return own != null && own.isRefusing(now);
    }

    /** Returns the budget for retries and hedges, for one loop. @param loop the loop's index */
    public RetryBudget.LoopView budget(int loop) {
        return budget.onLoop(loop);
    }

    /** Returns the budget for retries and hedges of all loops, for observers. */
    public RetryBudget budget() {
        return budget;
    }

    /** Returns the bulkhead places in use on all loops; empty without a bulkhead. Any thread. */
    public OptionalInt bulkheadInUse() {
        return sum(places, Bulkhead.LoopView::inUse);
    }

    /** Returns the adaptive limit, summed over all loops; empty without one. Any thread. */
    public OptionalInt limit() {
        return sum(limits, AdaptiveLimit::limit);
    }

    private static <T> OptionalInt sum(List<T> all, ToIntFunction<T> figure) {
        return all.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(all.stream().mapToInt(figure).sum());
    }

    /** Returns the counters of attempts. */
    public AttemptTally tally() {
        return tally;
    }

    /** Returns the circuit breakers by endpoint authority. A breaker that all endpoints share has the empty key. */
    public Map<String, CircuitBreaker> breakers() {
        return Map.copyOf(breakers);
    }
}
