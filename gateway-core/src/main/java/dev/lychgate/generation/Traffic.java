package dev.lychgate.generation;

import dev.lychgate.chain.FilterUse;
import dev.lychgate.limit.RateLimits;
import dev.lychgate.upstream.Upstream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The generations that serve new exchanges: the stable generation and, during a rollout, a candidate. Event loops read
 * both generations through one reference, so they always get a consistent pair. Immutable and thread-safe.
 *
 * <p>Each generation has its own routes, filters and filter settings. Both generations share connection pools, circuit
 * breakers, bulkheads, limits and retry budgets that have the same name and settings. The generations always share the
 * state of endpoints and the counters of balancers. The name of the upstream and the address of the endpoint identify
 * this state and these counters. If the candidate changes an upstream, the stable generation is not affected:
 *
 * <ul>
 *   <li>endpoints: each generation uses its own endpoints; the state of an endpoint that both generations contain is
 *       shared
 *   <li>pool settings, origin protocol and origin TLS: if they differ, the candidate gets its own pools, each with its
 *       own limits
 *   <li>circuit breakers, bulkheads, limits and retry budgets of upstreams and routes: if their settings differ, the
 *       candidate gets separate instances
 *   <li>health checks and outlier detection: the settings of the stable generation apply to all of its endpoints; the
 *       settings of the candidate apply only to endpoints that the stable generation lacks, so that each endpoint has
 *       one result
 *   <li>DNS: each generation uses the lookup results for its own settings
 * </ul>
 *
 * <p>Some settings apply to the whole process, or before a generation is chosen. These settings always come from the
 * stable generation: TLS of listeners, stall detection, and load shedding that depends on the load of the gateway
 * itself.
 */
public final class Traffic {
    private final Generation stable;
    private final @Nullable Candidate candidate;

    /** A generation that is being rolled out, and the split that selects its requests. */
    public record Candidate(Generation generation, Split split) {}

    private Traffic(Generation stable, @Nullable Candidate candidate) {
        this.stable = stable;
        this.candidate = candidate;
    }

    /** Returns the traffic of one generation without a candidate. */
    public static Traffic of(Generation only) {
        return new Traffic(only, null);
    }

    /**
     * Returns this traffic with {@code next} as its candidate, which replaces the current candidate.
     *
     * @param split selects the requests that use the candidate
     */
    public Traffic introducing(Generation next, Split split) {
        return new Traffic(stable, new Candidate(next, split));
    }

    /**
     * Returns traffic with the generations of this traffic and the split {@code split}.
     *
     * @throws IllegalStateException if there is no candidate
     */
    public Traffic divided(Split split) {
        return introducing(requireCandidate(), split);
    }

    /**
     * Returns traffic whose stable generation is the candidate of this traffic. The returned traffic has no candidate.
     *
     * @throws IllegalStateException if there is no candidate
     */
    public Traffic promoted() {
        return of(requireCandidate());
    }

    /** Returns this traffic without its candidate. */
    public Traffic withdrawn() {
        return candidate == null ? this : of(stable);
    }

    /**
     * Returns this traffic with another stable generation. The candidate keeps its number, and shares parts with the
     * new stable generation.
     *
     * @param loops number of event loops
     */
    public Traffic replacing(Generation next, int loops) {
        Candidate beside = candidate;
        return beside == null
                ? of(next)
                : new Traffic(next, new Candidate(beside.generation.beside(next, loops), beside.split));
    }

    /** Returns this traffic with the current addresses of all names; the same object if the addresses are unchanged. */
    public Traffic resolved(int loops) {
        Generation next = stable.resolved(loops, null);
        Candidate beside = candidate;
        if (beside == null) {
            return next == stable ? this : of(next);
        }
        Generation other = beside.generation.resolved(loops, next);
        return next == stable && other == beside.generation
                ? this
                : new Traffic(next, new Candidate(other, beside.split));
    }

    private Generation requireCandidate() {
        Candidate present = candidate;
        if (present == null) {
            throw new IllegalStateException("there is no candidate");
        }
        return present.generation;
    }

    /** Returns the stable generation. Except during a rollout, there is no other generation. */
    public Generation stable() {
        return stable;
    }

    /** Returns the candidate; null if no rollout is in progress. */
    public @Nullable Candidate candidate() {
        return candidate;
    }

    /** Returns the stable generation, followed by the candidate if there is one. */
    public List<Generation> generations() {
        return candidate == null ? List.of(stable) : List.of(stable, candidate.generation);
    }

    /** Returns whether {@code other} has the same generations. The splits may differ. */
    public boolean hasGenerationsOf(Traffic other) {
        return generations().equals(other.generations());
    }

    /**
     * Returns the upstreams of the stable generation, followed by the upstreams of the candidate. Two upstreams may
     * have the same name. If their settings contradict each other, the settings of the first upstream apply.
     */
    public Collection<Upstream> upstreams() {
        Candidate beside = candidate;
        if (beside == null) {
            return stable.upstreams();
        }
        List<Upstream> all = new ArrayList<>(stable.upstreams());
        all.addAll(beside.generation.upstreams());
        return all;
    }

    /**
     * Returns, for each generation, the counter of the exchanges that use the filters of this generation. A generation
     * has no counter if its exchanges need not be counted.
     */
    public List<FilterUse> uses() {
        List<FilterUse> uses = new ArrayList<>(2);
        for (Generation each : generations()) {
            FilterUse use = each.use();
            if (use != null) {
                uses.add(use);
            }
        }
        return uses;
    }

    /**
     * Records that new exchanges use these generations. Drops the state of endpoints and faults that neither generation
     * contains.
     */
    public void takeOver() {
        stable.upstreamStates().keep(upstreams());
        stable.faultBoard().adopt(configuredFaults());
        stable.cacheStore().begin(generations().stream().map(Generation::config).toList());
        for (Generation each : generations()) {
            RateLimits limits = each.rateLimits();
            if (limits != null) {
                limits.begin();
            }
        }
    }

    /** Returns the faults of the configurations; null if no configuration permits faults. */
    private @Nullable List<FaultRule> configuredFaults() {
        List<FaultRule> all = null;
        for (Generation each : generations()) {
            FaultPlan plan = each.faults();
            if (plan != null) {
                all = all == null ? new ArrayList<>() : all;
                all.addAll(plan.configured());
            }
        }
        return all;
    }

    /**
     * Drops the state of endpoints that neither generation contains. Suffices after {@link #resolved}, which changes
     * only endpoints; after other changes, {@link #takeOver} is needed.
     */
    public void takeOverEndpoints() {
        stable.upstreamStates().keepEndpoints(upstreams());
    }
}
