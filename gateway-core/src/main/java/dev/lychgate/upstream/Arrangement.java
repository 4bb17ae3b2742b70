package dev.lychgate.upstream;

import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointReadiness;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Computes an {@link EndpointSet} as a pure function of the settings of endpoints, the state of the endpoints, and the
 * time.
 *
 * <p>Endpoints form groups in an order of preference. The priority determines the order; within a priority, the
 * endpoints of the gateway's own zone come first. {@link SpillOver} computes the share of each group. The share of a
 * group is divided among its endpoints in proportion to their weights, which {@link SlowStart} may reduce.
 *
 * <p>Endpoints that an operator has disabled or set to draining have no share. An endpoint that a discovery source
 * reports as draining does not even get requests of the clients that are bound to it.
 */
final class Arrangement {
    private final BalanceConfig config;
    private final Map<EndpointAddress, EndpointState> states;
    private final long now;
    private final long window;

    private final List<Endpoint> chosen = new ArrayList<>();
    private final List<Double> shares = new ArrayList<>();
    private final List<Endpoint> reserve = new ArrayList<>();
    private final Set<Endpoint> admitted = new HashSet<>();
    private boolean panic;
    private long validUntil = Long.MAX_VALUE;

    private Arrangement(BalanceConfig config, Map<EndpointAddress, EndpointState> states, long now) {
        this.config = config;
        this.states = states;
        this.now = now;
        this.window = config.slowStart().toNanos();
    }

    /** Computes the selectable endpoints and their shares at {@code now}, in nanoseconds. */
    static EndpointSet of(
            List<Endpoint> endpoints, BalanceConfig config, Map<EndpointAddress, EndpointState> states, long now) {
        return new Arrangement(config, states, now).arrange(endpoints);
    }

    private EndpointSet arrange(List<Endpoint> endpoints) {
        Map<Integer, List<Endpoint>> byRank = new TreeMap<>();
        List<Endpoint> ready = endpoints.stream()
                .filter(e -> e.config().readiness() == EndpointReadiness.READY)
                .toList();
        ready.forEach(
                e -> byRank.computeIfAbsent(rank(e), rank -> new ArrayList<>()).add(e));
        ready.forEach(this::expire);
        List<List<Endpoint>> groups = List.copyOf(byRank.values());
        SpillOver split = SpillOver.of(
                groups.stream().mapToDouble(g -> weight(enabled(g))).toArray(),
                groups.stream().mapToDouble(g -> weight(usable(g))).toArray(),
                config.spillBelow().fraction(),
                config.panicBelow().fraction());
        for (int i = 0; i < groups.size(); i++) {
            take(groups.get(i), split.share(i), split.isPanic(i));
        }
        double[] all = shares.stream().mapToDouble(Double::doubleValue).toArray();
        return new EndpointSet(chosen, all, reserve, admitted, panic, states, validUntil);
    }

    /** Returns the rank of the endpoint's group in the order of preference; the lowest rank is the best. */
    private int rank(Endpoint endpoint) {
        boolean elsewhere = !config.zone().isEmpty()
                && !config.zone().equals(endpoint.config().zone());
        return 2 * endpoint.config().priority() + (elsewhere ? 1 : 0);
    }

    private void take(List<Endpoint> group, double share, boolean inPanic) {
        panic |= inPanic;
        group.stream()
                .filter(e -> state(e).admin() == EndpointState.AdminState.DRAINING && state(e).isHealthy(now))
                .forEach(admitted::add);
        List<Endpoint> taken = inPanic ? enabled(group) : usable(group);
        admitted.addAll(taken);
        if (share == 0) {
            reserve.addAll(taken);
            return;
        }
        double sum = taken.stream().mapToDouble(this::presentWeight).sum();
        for (Endpoint endpoint : taken) {
            chosen.add(endpoint);
            shares.add(share * presentWeight(endpoint) / sum);
        }
    }

    private List<Endpoint> enabled(List<Endpoint> group) {
        return group.stream()
                .filter(e -> state(e).admin() == EndpointState.AdminState.ENABLED)
                .toList();
    }

    private List<Endpoint> usable(List<Endpoint> group) {
        return enabled(group).stream().filter(e -> state(e).isHealthy(now)).toList();
    }

    private double weight(List<Endpoint> endpoints) {
        return endpoints.stream().mapToDouble(this::weight).sum();
    }

    private double weight(Endpoint endpoint) {
        int set = state(endpoint).weight();
        return set > 0 ? set : endpoint.config().weight();
    }

    private double presentWeight(Endpoint endpoint) {
        return weight(endpoint) * SlowStart.factor(elapsed(endpoint), window);
    }

    private long elapsed(Endpoint endpoint) {
        long since = state(endpoint).fitSince();
        return since == EndpointState.NEVER ? Long.MAX_VALUE : now - since;
    }

    /**
     * Makes the set expire when time alone changes the state of this endpoint, for example at the end of an ejection.
     * No event reports such a change.
     */
    private void expire(Endpoint endpoint) {
        long until = state(endpoint).ejectedUntil();
        if (now < until) {
            validUntil = Math.min(validUntil, until);
            return;
        }
        long step = SlowStart.untilNextStep(elapsed(endpoint), window);
        if (step != Long.MAX_VALUE) {
            validUntil = Math.min(validUntil, now + step);
        }
    }

    private EndpointState state(Endpoint endpoint) {
        return states.getOrDefault(endpoint.address(), EndpointState.INITIAL);
    }
}
