package dev.lychgate.upstream;

/**
 * The run-time state of an endpoint. Immutable. Times are nanoseconds of {@link System#nanoTime()}.
 *
 * @param health the result of active checks
 * @param fault the reason why the last check of an unhealthy endpoint failed; empty if the endpoint is not unhealthy or
 *     the reason is unknown
 * @param admin the state that an operator has set
 * @param weight the weight that an operator has set in place of the configured weight; 0 if no operator has set a
 *     weight
 * @param ejectedUntil the end of the last ejection by outlier detection; {@link #NEVER} if there was no ejection
 * @param since the time at which the endpoint became usable, which determines its slow start; {@link #NEVER} if it was
 *     usable from the beginning
 */
public record EndpointState(Health health, String fault, AdminState admin, int weight, long ejectedUntil, long since) {
    /** A time that precedes all other times. */
    public static final long NEVER = Long.MIN_VALUE;

    /** The state of an endpoint to which no event has happened. */
    public static final EndpointState INITIAL =
            new EndpointState(Health.UNKNOWN, "", AdminState.ENABLED, 0, NEVER, NEVER);

    /** The result of active checks. */
    public enum Health {
        /** Checks are disabled, or no check has ended yet. The endpoint is assumed to be healthy. */
        UNKNOWN,
        HEALTHY,
        UNHEALTHY
    }

    /** The state that an operator has set. */
    public enum AdminState {
        ENABLED,
        /**
         * The endpoint finishes open exchanges and still serves the clients that persistence binds to it, but gets no
         * new clients.
         */
        DRAINING,
        /** The endpoint gets no traffic. */
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

    /**
     * Returns a copy of this state with {@code other} as the result of active checks.
     *
     * @param why the reason why the last check failed; empty if it did not fail or the reason is unknown
     */
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
