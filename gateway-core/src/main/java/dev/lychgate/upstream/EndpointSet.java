package dev.lychgate.upstream;

import dev.lychgate.config.EndpointAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The selectable endpoints at one point in time, each with its share of the traffic. The shares include the effects of
 * health, ejections, priorities, zones, panic and slow start, so algorithms need no other input. Immutable, shared by
 * all loops, and compared by identity, because the algorithms compute new tables for each new set.
 */
public final class EndpointSet {
    private final List<Endpoint> endpoints;
    private final double[] shares;
    private final List<Endpoint> reserve;
    private final Set<Endpoint> admitted;
    private final boolean panic;
    private final Map<EndpointAddress, EndpointState> states;
    private final long validUntil;

    /** Created by the first loop that needs it; concurrent creations yield equal tables. */
    private volatile @Nullable MaglevTable maglev;

    /**
     * @param endpoints the endpoints that get traffic
     * @param shares the share of each endpoint, above 0; the sum of all shares is 1
     * @param reserve usable endpoints that get no traffic while better ones exist; the best first
     * @param admitted endpoints that may serve clients bound to them: {@code endpoints}, {@code reserve} and draining
     *     endpoints
     * @param panic whether some endpoints are used in spite of their health
     * @param states the states from which the set was computed
     * @param validUntil the time at which the set changes without an event, in nanoseconds; {@link Long#MAX_VALUE} if
     *     it does not
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
            // Tolerates rounding errors, which must not turn a plain round robin into a weighted one.
            if (Math.abs(share - shares[0]) > 1e-12) {
                return false;
            }
        }
        return true;
    }

    /** Returns the endpoints to use after all others were tried; the best first. */
    public List<Endpoint> reserve() {
        return reserve;
    }

    /** Returns whether the endpoint may serve clients bound to it. */
    public boolean admits(Endpoint endpoint) {
        return admitted.contains(endpoint);
    }

    /** Returns whether so few endpoints are healthy that their health is ignored, wholly or in part. */
    public boolean isPanic() {
        return panic;
    }

    /** Returns whether the set still corresponds to {@code current} states at {@code now}. */
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
