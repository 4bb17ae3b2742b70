package dev.lychgate.upstream;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Selects endpoints of one {@link Subset} for the requests of one event loop. A balancer and its counters are used on
 * this event loop alone, so no lock is needed. Each selection checks whether a new {@link EndpointSet} has been
 * published.
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
     * Creates a balancer for a subset, on one event loop.
     *
     * @param start the initial position, which differs between event loops
     * @param clock returns the time in nanoseconds, with a precision of about a tenth of a second
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
     * Selects an endpoint for an attempt. The first choice is the endpoint to which the client is bound, if this
     * endpoint is {@linkplain EndpointSet#admits admitted} and this exchange has not tried it. The second choice is
     * another endpoint that this exchange has not tried, even an endpoint without a share of the traffic. The last
     * choice is an endpoint that this exchange has tried.
     *
     * @return null if there is no usable endpoint
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

    /** The algorithm for a set with at most one endpoint. A set may temporarily be empty. */
    private static final class OnlyEndpoint extends BalancingPolicy {
        OnlyEndpoint(EndpointSet set) {
            super(set);
        }

        @Override
        int first(BalanceContext context) {
            return 0;
        }

        @Override
        int another(BalanceContext context) {
            return set.size() == 0 || context.tried(set.endpoint(0)) ? -1 : 0;
        }
    }

    /**
     * Selects the endpoints in rotation. Every event loop starts at a different endpoint, so that a few requests on
     * many loops do not all reach the first endpoint.
     */
    private static final class RoundRobin extends BalancingPolicy {
        private int next;

        RoundRobin(EndpointSet set, int start) {
            super(set);
            this.next = Math.floorMod(start, set.size());
        }

        @Override
        int first(BalanceContext context) {
            int chosen = next;
            next = next + 1 == set.size() ? 0 : next + 1;
            return chosen;
        }
    }

    /**
     * Selects endpoints at random, by weight. Because this algorithm has no counters, any number of event loops and
     * gateways together distribute requests exactly as a single event loop would.
     */
    private static final class RandomChoice extends BalancingPolicy {
        private final WeightedLot lot;

        RandomChoice(EndpointSet set, SplittableRandom random) {
            super(set);
            this.lot = new WeightedLot(set, random);
        }

        @Override
        int first(BalanceContext context) {
            return lot.draw();
        }
    }

    /**
     * Selects endpoints by {@link Rendezvous} hashing of the client's address, so that all requests from one address
     * reach one endpoint. Ignores the load of the endpoint.
     */
    private static final class ClientIpHash extends BalancingPolicy {

        ClientIpHash(EndpointSet set) {
            super(set);
        }

        @Override
        int first(BalanceContext context) {
            return Rendezvous.best(set, Hash.ofClient(context.clientAddress()), endpoint -> true);
        }

        @Override
        int another(BalanceContext context) {
            long client = Hash.ofClient(context.clientAddress());
            return Rendezvous.best(set, client, endpoint -> !context.tried(endpoint));
        }
    }
}
