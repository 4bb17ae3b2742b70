package dev.lychgate.upstream;

/**
 * Run-time state of an endpoint. Immutable. Points in time are nanoseconds of {@link System#nanoTime()}.
 *
 * @param health result of active checks
 * @param fault reason of the last failed check of an unhealthy endpoint; empty for any other endpoint, or if the reason
 *     is unknown
 * @param admin state set by the operator
 * @param weight weight set by the operator instead of the configured one; 0 if none is set
 * @param ejectedUntil end of the last ejection after failures under traffic; {@link #NEVER} if there was none
 * @param since time at which the endpoint became usable, for the slow start; {@link #NEVER} if it was usable from the
 *     beginning
 */
public record EndpointState(Health health, String fault, AdminState admin, int weight, long ejectedUntil, long since) {
    /** Precedes all other points in time. */
    public static final long NEVER = Long.MIN_VALUE;

    /** State of an endpoint without any events. */
    public static final EndpointState INITIAL =
            new EndpointState(Health.UNKNOWN, "", AdminState.ENABLED, 0, NEVER, NEVER);

    /** Result of active checks. */
    public enum Health {
        /** Checks are disabled, or no check has ended yet. The endpoint is assumed to be healthy. */
        UNKNOWN,
        HEALTHY,
        UNHEALTHY
    }

    /** State set by the operator. */
    public enum AdminState {
        ENABLED,
        /** Finishes open exchanges and still serves clients that persistence binds to it, but gets no new clients. */
        DRAINING,
        /** Gets no traffic. */
        DISABLED
    }

    /** Returns whether the endpoint is neither unhealthy nor ejected at {@code now}. */
    boolean isHealthy(long now) {
        return health != Health.UNHEALTHY && now >= ejectedUntil;
    }

    /** Returns the time since which the endpoint has been usable without interruption. */
    long fitSince() {
        return Math.max(since, ejectedUntil);
    }

    /** @param why see {@link #fault} */
    EndpointState withHealth(Health other, String why, long now) {
        boolean recovers = health == Health.UNHEALTHY && other != Health.UNHEALTHY;
        return new EndpointState(other, why, admin, weight, ejectedUntil, recovers ? now : since);
    }

    EndpointState withAdmin(AdminState other, long now) {
        boolean returns = admin != AdminState.ENABLED && other == AdminState.ENABLED;
        return new EndpointState(health, fault, other, weight, ejectedUntil, returns ? now : since);
    }

    EndpointState withWeight(int other) {
        return new EndpointState(health, fault, admin, other, ejectedUntil, since);
    }

    EndpointState withEjection(long until) {
        return new EndpointState(health, fault, admin, weight, until, since);
    }

    static EndpointState newcomer(long now) {
        return new EndpointState(Health.UNKNOWN, "", AdminState.ENABLED, 0, NEVER, now);
    }
}
