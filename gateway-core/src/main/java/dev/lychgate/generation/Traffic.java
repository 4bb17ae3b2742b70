package dev.lychgate.generation;

import dev.lychgate.chain.FilterUse;
import dev.lychgate.limit.RateLimits;
import dev.lychgate.upstream.Upstream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The generations that serve new exchanges: the stable one, and during a rollout a candidate beside it. Event loops read both
 * by one reference, so that they always see a pair that belongs together. Immutable; any thread.
 *
 * <p>Each generation has its own routes, filters and filter settings. They share the following parts if name and
 * settings are the same: connection pools, circuit breakers, bulkheads, limits, retry budgets, and always the state of endpoints and
 * the counters of balancers, which are keyed by address. If the candidate changes an upstream, the stable generation is not
 * affected:
 *
 * <ul>
 *   <li>endpoints: each generation uses its own; the state of one that both contain is shared
 *   <li>pool settings, origin protocol and origin TLS: the candidate gets its own pools, each with its own limits
 *   <li>breakers, bulkheads, limits and retry budgets with other settings: the candidate gets its own; routes likewise
 *   <li>health checks and outlier detection: the settings of the stable generation apply to each of its endpoints, and those
 *       of the candidate to its other endpoints, because both would otherwise report different results for one endpoint
 *   <li>DNS: each generation uses the results of its settings
 * </ul>
 *
 * <p>The stable generation alone decides about everything that precedes the choice, or belongs to the whole process: TLS of
 * listeners, stall detection and load shedding.
 */
public final class Traffic {
    private final Generation stable;
    private final @Nullable Candidate candidate;

    /** A generation on trial, and which requests it takes. */
    public record Candidate(Generation generation, Split split) {}

    private Traffic(Generation stable, @Nullable Candidate candidate) {
        this.stable = stable;
        this.candidate = candidate;
    }

    /** Returns the traffic of one generation. */
    public static Traffic of(Generation only) {
        return new Traffic(only, null);
    }

    /** Returns this traffic with a candidate in place of the current one. @param split the requests that it takes */
    public Traffic introducing(Generation next, Split split) {
        return new Traffic(stable, new Candidate(next, split));
    }

    /** Returns this traffic with another division. @throws IllegalStateException if there is no candidate */
    public Traffic divided(Split split) {
        return introducing(requireCandidate(), split);
    }

    /** Returns the traffic of the candidate alone. @throws IllegalStateException if there is no candidate */
    public Traffic promoted() {
        return of(requireCandidate());
    }

    /** Returns the traffic of the stable generation alone. */
    public Traffic withdrawn() {
        return candidate == null ? this : of(stable);
    }

    /**
     * Returns this traffic with another stable generation. The candidate keeps its number and shares with the new one.
     *
     * @param loops number of event loops
     */
    public Traffic replacing(Generation next, int loops) {
        Candidate beside = candidate;
        return beside == null
                ? of(next)
                : new Traffic(next, new Candidate(beside.generation.beside(next, loops), beside.split));
    }

    /** Returns this traffic with the current endpoints of all names; itself if they are unchanged. */
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

    /** Returns the stable generation: the only one, except during a rollout. */
    public Generation stable() {
        return stable;
    }

    /** Returns the candidate; null except during a rollout. */
    public @Nullable Candidate candidate() {
        return candidate;
    }

    /** Returns both generations, the stable one first; or the only one. */
    public List<Generation> generations() {
        return candidate == null ? List.of(stable) : List.of(stable, candidate.generation);
    }

    /** Returns whether both consist of the same generations, however they divide the requests. */
    public boolean hasGenerationsOf(Traffic other) {
        return generations().equals(other.generations());
    }

    /**
     * Returns the upstreams of both generations, first those of the stable generation. Two may have the same name; if their settings
     * contradict each other, the first one counts.
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

    /** Returns what counts the exchanges of the generations, as far as they need to be counted. */
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

    /** Records that new exchanges use these generations: the state of endpoints and faults that neither contains may be dropped. */
    public void takeOver() {
        stable.upstreamStates().keep(upstreams());
        stable.faultBoard().adopt(configuredFaults());
        for (Generation each : generations()) {
            RateLimits limits = each.rateLimits();
            if (limits != null) {
                limits.begin();
            }
        }
    }

    /** Returns the faults of the configurations; null if none of them permits faults. */
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

    /** Like {@link #takeOver} after {@link #resolved}: only addresses may have been removed. */
    public void takeOverEndpoints() {
        stable.upstreamStates().keepEndpoints(upstreams());
    }
}
