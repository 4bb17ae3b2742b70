package dev.lychgate.upstream;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Chooses endpoints of one {@link Subset} for the requests of one event loop. Used on that loop only, so it needs no lock;
 * what it counts, it counts for its loop. Notices by itself that another {@link EndpointSet} has been published.
 */
public final class LoadBalancer {
    private final Subset subset;
    private final UpstreamLoad load;
    private final SplittableRandom random;
    private final LongSupplier clock;
    private int start;
    private EndpointSet set;
    private BalancingPolicy policy;

    /**
     * @param start where to begin, other than the other loops
     * @param clock nanoseconds, exact to about a tenth of a second
     */
    LoadBalancer(Subset subset, UpstreamLoad load, SplittableRandom random, LongSupplier clock, int start) {
        this.subset = subset;
        this.load = load;
        this.random = random;
        this.clock = clock;
        this.start = start;
        this.set = subset.current(clock.getAsLong());
        this.policy = policy();
    }

    /**
     * The endpoint to try: the preferred one if it may be used; else one that has not been tried in this exchange, even if
     * it has no share of the traffic; else one that has.
     *
     * @return null if there is none that may be used
     */
    public @Nullable Endpoint choose(BalanceContext context) {
        EndpointSet current = subset.current(clock.getAsLong());
        if (current != set) {
            set = current;
            policy = policy();
        }
        Endpoint preferred = context.preferred(set);
        if (preferred != null && set.admits(preferred) && !context.tried(preferred)) {
            return preferred;
        }
        if (set.size() == 0) {
            return null;
        }
        start++;
        return context.isFirst() ? set.endpoint(policy.first(context)) : another(context);
    }

    private Endpoint another(BalanceContext context) {
        int untried = policy.another(context);
        if (untried >= 0) {
            return set.endpoint(untried);
        }
        for (Endpoint endpoint : set.reserve()) {
            if (!context.tried(endpoint)) {
                return endpoint;
            }
        }
        return set.endpoint(policy.first(context));
    }

    private BalancingPolicy policy() {
        if (set.size() < 2) {
            return new OnlyEndpoint(set);
        }
        var balance = subset.balance();
        return switch (balance.algorithm()) {
            case ROUND_ROBIN -> set.isEven() ? new RoundRobin(set, start) : new WeightedRoundRobin(set, random);
            case RANDOM -> new RandomChoice(set, random);
            case LEAST_REQUESTS -> TwoChoices.leastRequests(set, load.of(set), random, clock);
            case LEAST_RESPONSE_TIME -> TwoChoices.leastResponseTime(set, load.of(set), random, clock);
            case CLIENT_IP_HASH -> new ClientIpHash(set);
            case CONSISTENT_HASH -> new ConsistentHash(set, RequestHash.of(balance.hash(), random), bound());
        };
    }

    private ConsistentHash.@Nullable LoadBound bound() {
        double bound = subset.balance().loadBound().fraction();
        return bound == 0 ? null : new ConsistentHash.LoadBound(set, load, bound);
    }
}
