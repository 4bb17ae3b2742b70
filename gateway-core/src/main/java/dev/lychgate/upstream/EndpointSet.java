package dev.lychgate.upstream;

import dev.lychgate.config.EndpointAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The selectable endpoints of an upstream at one point in time, each with its share of the traffic. The shares include
 * the effects of health, ejections, priorities, zones, panic and slow start, so balancing algorithms need no other
 * input. Immutable, and shared by all event loops. Compared by identity, because the algorithms compute new tables for
 * each new set.
 */
public final class EndpointSet {
    private final List<Endpoint> endpoints;
    private final double[] shares;
    private final List<Endpoint> reserve;
    private final Set<Endpoint> admitted;
    private final boolean panic;
    private final Map<EndpointAddress, EndpointState> states;
    private final long validUntil;

    /**
     * The hash table of this set; null until the first event loop needs it. If two loops create it at the same time,
     * their tables are equal.
     */
    private volatile @Nullable MaglevTable maglev;

    /**
     * Creates a set from its endpoints and their shares.
     *
     * @param endpoints the endpoints that get traffic
     * @param shares the share of each endpoint, above 0; the sum of all shares is 1
     * @param reserve usable endpoints that get no traffic while endpoints of better groups are usable; the best first
     * @param admitted the endpoints that may serve the clients that are bound to them: {@code endpoints},
     *     {@code reserve} and draining endpoints
     * @param panic whether some endpoints get traffic although they are unhealthy or ejected
     * @param states the states from which the set was computed
     * @param validUntil the time at which the set changes without an event, in nanoseconds; {@link Long#MAX_VALUE} if
     *     only events change the set
     */
    EndpointSet(
            List<Endpoint> endpoints,
            double[] shares,
            List<Endpoint> reserve,
            Set<Endpoint> admitted,
            boolean panic,
            Map<EndpointAddress, EndpointState> states,
            long validUntil) {
        this.endpoints = List.copyOf(endpoints);
        this.shares = shares.clone();
        this.reserve = List.copyOf(reserve);
        this.admitted = Set.copyOf(admitted);
        this.panic = panic;
        this.states = states;
        this.validUntil = validUntil;
    }

    /** Returns the number of endpoints that get traffic. */
    public int size() {
        return endpoints.size();
    }

    /**
     * Returns an endpoint that gets traffic.
     *
     * @param index 0 to {@link #size()} - 1
     */
    public Endpoint endpoint(int index) {
        return endpoints.get(index);
    }

    /** Returns the share of an endpoint, which is above 0. The sum of all shares is 1. */
    public double share(int index) {
        return shares[index];
    }

    /** Returns the share of an endpoint; 0 if it gets no traffic. */
    public double share(Endpoint endpoint) {
        int index = endpoints.indexOf(endpoint);
        return index < 0 ? 0 : shares[index];
    }

    boolean isEven() {
        for (double share : shares) {
            // Tolerates rounding errors, which must not turn a plain round robin into a weighted round robin.
            if (Math.abs(share - shares[0]) > 1e-12) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the usable endpoints without a share of the traffic, which are used after all other endpoints were tried;
     * the best first.
     */
    public List<Endpoint> reserve() {
        return reserve;
    }

    /** Returns whether the endpoint may serve the clients that are bound to it. */
    public boolean admits(Endpoint endpoint) {
        return admitted.contains(endpoint);
    }

    /** Returns whether so few endpoints are healthy that the health of all or some endpoints is ignored. */
    public boolean isPanic() {
        return panic;
    }

    /** Returns whether the set is still up to date at {@code now}, if the endpoints have the states {@code current}. */
    boolean isValid(Map<EndpointAddress, EndpointState> current, long now) {
        return states == current && now < validUntil;
    }

    MaglevTable maglev() {
        MaglevTable table = maglev;
        if (table == null) {
            table = MaglevTable.of(this);
            maglev = table;
        }
        return table;
    }
}
