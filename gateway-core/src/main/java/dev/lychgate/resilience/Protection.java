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
 * The circuit breakers, bulkhead, adaptive limit, retry budget and counters of one upstream. All event loops share
 * them. Built with each generation, outside the event loops. The counters always carry over to the next generation;
 * each other component carries over if its settings are unchanged. Immutable except for its components.
 */
public final class Protection {
    private final UpstreamResilience config;
    private final int loops;
    private final AttemptTally tally;
    private final RetryBudget budget;
    /**
     * The circuit breakers by endpoint authority; empty if no circuit breaker is configured. The key of a circuit
     * breaker that all endpoints share is the empty string.
     */
    private final Map<String, CircuitBreaker> breakers;

    /** The parts of the bulkhead by event loop; empty if no bulkhead is configured. */
    private final List<Bulkhead.LoopView> places;
    /** The adaptive limits by event loop; empty if no adaptive limit is configured. */
    private final List<AdaptiveLimit> limits;
    /** The guards that all endpoints share, by event loop; null if each endpoint has its own guards. */
    private final @Nullable List<Guards> common;
    /** The guards of each endpoint, by authority and then by loop; empty if endpoints share {@link #common}. */
    private final Map<String, List<Guards>> own = new HashMap<>();

    /**
     * Creates the protection of an upstream.
     *
     * @param known existing instances for the upstream. Each component is taken from the first instance in which this
     *     component has equal settings; if there is no such instance, the component is new
     */
    private Protection(UpstreamConfig upstream, int loops, List<Protection> known) {
        this.config = upstream.resilience();
        this.loops = loops;
        this.tally = known.isEmpty() ? new AttemptTally(loops) : known.get(0).tally;
        this.budget = budget(known);
        this.breakers = breakers(upstream, known);
        this.places = places(known);
        this.limits = limits(known);
        this.common = isPerEndpoint() ? null : inOrder(breakers.get(""));
        if (isPerEndpoint()) {
            breakers.forEach((authority, breaker) -> own.put(authority, inOrder(breaker)));
        }
    }

    /**
     * Creates the circuit breakers, limits, budget and counters of {@code upstream}.
     *
     * @param loops number of event loops
     */
    public static Protection of(UpstreamConfig upstream, int loops) {
        return new Protection(upstream, loops, List.of());
    }

    /** Creates the state for the next generation; components with unchanged settings carry over. */
    public Protection next(UpstreamConfig upstream) {
        return new Protection(upstream, loops, List.of(this));
    }

    /**
     * Creates the state for a generation that is in force together with another generation. Components whose settings
     * equal those in {@code other} are shared with {@code other}; all other components carry over as in
     * {@link #next(UpstreamConfig)}.
     */
    public Protection next(UpstreamConfig upstream, Protection other) {
        return new Protection(upstream, loops, List.of(other, this));
    }

    private RetryBudget budget(List<Protection> known) {
        for (Protection one : known) {
            if (one.config.retryBudget().equals(config.retryBudget())) {
                return one.budget;
            }
        }
        return new RetryBudget(config.retryBudget(), loops);
    }

    private Map<String, CircuitBreaker> breakers(UpstreamConfig upstream, List<Protection> known) {
        BreakerConfig breaker = config.breaker();
        if (breaker == null) {
            return Map.of();
        }
        List<String> names = breaker.perEndpoint()
                ? upstream.endpoints().stream().map(EndpointConfig::authority).toList()
                : List.of("");
        Map<String, CircuitBreaker> all = new HashMap<>();
        for (String name : names) {
            all.put(name, breaker(breaker, known, name));
        }
        return all;
    }

    private CircuitBreaker breaker(BreakerConfig settings, List<Protection> known, String name) {
        CircuitBreaker other = null;
        for (Protection one : known) {
            CircuitBreaker before = one.breakers.get(name);
            if (before != null && settings.equals(one.config.breaker())) {
                return before;
            }
            other = other == null ? before : other;
        }
        return fresh(settings, other);
    }

    /**
     * Creates a circuit breaker with changed settings. From {@code before}, it adopts only the state that an operator
     * has forced.
     */
    private CircuitBreaker fresh(BreakerConfig settings, @Nullable CircuitBreaker before) {
        CircuitBreaker fresh = new CircuitBreaker(settings, loops);
        if (before != null) {
            fresh.force(before.hold(), System.nanoTime());
        }
        return fresh;
    }

    private List<Bulkhead.LoopView> places(List<Protection> known) {
        BulkheadConfig settings = config.bulkhead();
        for (Protection one : known) {
            if (Objects.equals(one.config.bulkhead(), settings)) {
                return one.places;
            }
        }
        if (settings == null) {
            return List.of();
        }
        Bulkhead bulkhead = new Bulkhead(settings, loops);
        return perLoop(i -> bulkhead.forLoop());
    }

    private List<AdaptiveLimit> limits(List<Protection> known) {
        LimitConfig settings = config.limit();
        for (Protection one : known) {
            if (Objects.equals(one.config.limit(), settings)) {
                return one.limits;
            }
        }
        return settings == null ? List.of() : perLoop(i -> new AdaptiveLimit(settings, loops));
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
     * Returns the guards of an attempt at one endpoint.
     *
     * @param loop the loop's index
     * @param authority the authority of the selected endpoint
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

    /**
     * Returns whether the endpoint's own circuit breaker would refuse an attempt. Used for the selection of an
     * endpoint.
     */
    public boolean isRefusing(String authority, long now) {
        CircuitBreaker own = breakers.get(authority);
        return own != null && own.isRefusing(now);
    }

    /**
     * Returns the view of the retry budget for one event loop.
     *
     * @param loop the loop's index
     */
    public RetryBudget.LoopView budget(int loop) {
        return budget.onLoop(loop);
    }

    /** Returns the retry budget of all event loops, for observers. */
    public RetryBudget budget() {
        return budget;
    }

    /**
     * Returns the number of places of the bulkhead in use on all event loops; empty if no bulkhead is configured.
     * Thread-safe.
     */
    public OptionalInt bulkheadInUse() {
        return sum(places, Bulkhead.LoopView::inUse);
    }

    /**
     * Returns the sum of the adaptive limits of all event loops; empty if no adaptive limit is configured. Thread-safe.
     */
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

    /**
     * Returns the circuit breakers by endpoint authority. The key of a circuit breaker that all endpoints share is the
     * empty string.
     */
    public Map<String, CircuitBreaker> breakers() {
        return Map.copyOf(breakers);
    }
}
