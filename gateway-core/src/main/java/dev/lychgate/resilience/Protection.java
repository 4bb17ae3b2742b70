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
 * What protects one upstream in the whole process. Made when a generation is built, off the event loops; a part whose
 * settings the next generation leaves as they are goes over with all that it knows, the tally always does. Immutable but for its parts.
 */
public final class Protection {
    private final UpstreamResilience config;
    private final int loops;
    private final AttemptTally tally;
    private final RetryBudget budget;
    /** By the endpoint's authority if each has its own, else the one of all under the empty name; none if there is no breaker. */
    private final Map<String, CircuitBreaker> breakers;

    /** By loop; empty if there is no bulkhead. */
    private final List<Bulkhead.LoopView> places;
    /** By loop; empty if there is no limit. */
    private final List<AdaptiveLimit> limits;
    /** By loop, of all endpoints; null if each has its own. */
    private final @Nullable List<Guards> common;
    /** By loop, by the endpoint's authority, if each has its own. */
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

    /** What protects {@code upstream}. @param loops how many event loops there are */
    public static Protection of(UpstreamConfig upstream, int loops) {
        return new Protection(upstream, loops, null);
    }

    /** What protects it with these settings of the next generation; keeps what they leave as it is. */
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

    /** With other settings than before it has forgotten all but what the operator wants. */
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
     * The guards of an attempt.
     *
     * @param loop the loop's index
     * @param authority of the endpoint it goes to
     */
    public Guards guards(int loop, String authority) {
        List<Guards> each = common != null ? common : own.get(authority);
        return each == null ? Guards.NONE : each.get(loop);
    }

    /** Whether each endpoint has a circuit of its own. */
    public boolean isPerEndpoint() {
        BreakerConfig breaker = config.breaker();
        return breaker != null && breaker.perEndpoint();
    }

    /** Whether an attempt at that endpoint would be refused by its own circuit: for choosing another one. */
    public boolean isRefusing(String authority, long now) {
        CircuitBreaker own = breakers.get(authority);
        return own != null && own.isRefusing(now);
    }

    /** What its attempts beyond the first draw on. @param loop the loop's index */
    public RetryBudget.LoopView budget(int loop) {
        return budget.onLoop(loop);
    }

    /** The same budget, for whoever looks on. */
    public RetryBudget budget() {
        return budget;
    }

    /** How many places of its bulkhead are taken, on all loops; empty if it has none. Any thread. */
    public OptionalInt bulkheadInUse() {
        return sum(places, Bulkhead.LoopView::inUse);
    }

    /** How many attempts its adaptive limit lets be under way now, on all loops; empty if it has none. Any thread. */
    public OptionalInt limit() {
        return sum(limits, AdaptiveLimit::limit);
    }

    private static <T> OptionalInt sum(List<T> all, ToIntFunction<T> figure) {
        return all.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(all.stream().mapToInt(figure).sum());
    }

    /** What became of its attempts. */
    public AttemptTally tally() {
        return tally;
    }

    /** Its circuit breakers: by the endpoint's authority if each has its own, else the one of all under the empty name. */
    public Map<String, CircuitBreaker> breakers() {
        return Map.copyOf(breakers);
    }
}
