package dev.lychgate.upstream;

import dev.lychgate.config.EndpointAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that may be chosen at some point in time, each with its share of the traffic. All that health, ejections,
 * priorities, zones, panic and slow start mean for the choice is in the shares already; an algorithm need look at nothing
 * else. Immutable and shared by all loops, compared by identity: another set means that tables have to be built anew.
 */
public final class EndpointSet {
    private final List<Endpoint> endpoints;
    private final double[] shares;
    private final List<Endpoint> reserve;
    private final Set<Endpoint> admitted;
    private final boolean panic;
    private final Map<EndpointAddress, EndpointState> states;
    private final long validUntil;

    /** Made by the first loop that needs it; a second one made at the same time would be the same. */
    private volatile @Nullable MaglevTable maglev;

    /**
     * @param endpoints those that get traffic
     * @param shares the share of each, above 0 and 1 together
     * @param reserve those that may be used but get none as long as others are better; the best first
     * @param admitted those that may serve who is bound to them: all of these, and those that are draining
     * @param panic whether some of them are used in spite of their health
     * @param states what all this was worked out from
     * @param validUntil when time alone will have changed it, in nanoseconds; {@link Long#MAX_VALUE} = never
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

    /** How many endpoints get traffic. */
    public int size() {
        return endpoints.size();
    }

    /** One that gets traffic. @param index 0 to {@link #size()} - 1 */
    public Endpoint endpoint(int index) {
        return endpoints.get(index);
    }

    /** Its share: above 0, and 1 all together. */
    public double share(int index) {
        return shares[index];
    }

    /** The share of an endpoint; 0 if it gets no traffic. */
    public double share(Endpoint endpoint) {
        int index = endpoints.indexOf(endpoint);
        return index < 0 ? 0 : shares[index];
    }

    boolean isEven() {
        for (double share : shares) {
            // Rounding must not turn a plain round robin into a weighted one.
            if (Math.abs(share - shares[0]) > 1e-12) {
                return false;
            }
        }
        return true;
    }

    /** Those that may be used where every other one has been tried; the best first. */
    public List<Endpoint> reserve() {
        return reserve;
    }

    /** Whether it may serve who is bound to it. */
    public boolean admits(Endpoint endpoint) {
        return admitted.contains(endpoint);
    }

    /** Whether so few are healthy that their health is ignored, wholly or in part. */
    public boolean isPanic() {
        return panic;
    }

    /** Whether it still is what {@code current} states at {@code now} come to. */
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
