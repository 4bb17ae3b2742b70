package dev.lychgate.resilience;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.LimitConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
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

    private final @Nullable Bulkhead bulkhead;
    private final Bulkhead.LoopView @Nullable [] places;
    private final AdaptiveLimit @Nullable [] limits;
    /** Of all endpoints; null if each has its own. */
    private final Guards @Nullable [] common;
    /** By the endpoint's authority, if each has its own. */
    private final Map<String, Guards[]> own = new HashMap<>();

    private Protection(UpstreamConfig upstream, int loops, @Nullable Protection before) {
        this.config = upstream.resilience();
        this.loops = loops;
        this.tally = before == null ? new AttemptTally(loops) : before.tally;
        this.budget = before != null && before.config.retryBudget().equals(config.retryBudget())
                ? before.budget
                : new RetryBudget(config.retryBudget(), loops);
        this.breakers = breakers(upstream, before);
        BulkheadConfig concurrent = config.bulkhead();
        if (before != null && Objects.equals(before.config.bulkhead(), concurrent)) {
            this.bulkhead = before.bulkhead;
            this.places = before.places;
        } else {
            this.bulkhead = concurrent == null ? null : new Bulkhead(concurrent, loops);
            this.places = bulkhead == null ? null : places(bulkhead);
        }
        this.limits = before != null && Objects.equals(before.config.limit(), config.limit())
                ? before.limits
                : limits(config.limit());
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

    private Bulkhead.LoopView[] places(Bulkhead of) {
        Bulkhead.LoopView[] each = new Bulkhead.LoopView[loops];
        for (int i = 0; i < loops; i++) {
            each[i] = of.forLoop();
        }
        return each;
    }

    private AdaptiveLimit @Nullable [] limits(@Nullable LimitConfig limit) {
        if (limit == null) {
            return null;
        }
        AdaptiveLimit[] each = new AdaptiveLimit[loops];
        for (int i = 0; i < loops; i++) {
            each[i] = new AdaptiveLimit(limit, loops);
        }
        return each;
    }

    private Guards[] inOrder(@Nullable CircuitBreaker breaker) {
        Guards[] each = new Guards[loops];
        for (int i = 0; i < loops; i++) {
            List<Guard> order = new ArrayList<>();
            if (breaker != null) {
                order.add(breaker.onLoop(i));
            }
            if (places != null) {
                order.add(places[i]);
            }
            if (limits != null) {
                order.add(limits[i]);
            }
            each[i] = Guards.of(order);
        }
        return each;
    }

    /**
     * The guards of an attempt.
     *
     * @param loop the loop's index
     * @param authority of the endpoint it goes to
     */
    public Guards guards(int loop, String authority) {
        Guards[] each = common != null ? common : own.get(authority);
        return each == null ? Guards.NONE : each[loop];
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
        Bulkhead.LoopView[] all = places;
        return all == null
                ? OptionalInt.empty()
                : OptionalInt.of(
                        Arrays.stream(all).mapToInt(Bulkhead.LoopView::inUse).sum());
    }

    /** How many attempts its adaptive limit lets be under way now, on all loops; empty if it has none. Any thread. */
    public OptionalInt limit() {
        AdaptiveLimit[] all = limits;
        return all == null
                ? OptionalInt.empty()
                : OptionalInt.of(
                        Arrays.stream(all).mapToInt(AdaptiveLimit::limit).sum());
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
