package dev.lychgate.upstream;

/**
 * What is known of an endpoint at run time, beside its settings. Immutable. Points in time are nanoseconds of
 * {@link System#nanoTime()}.
 *
 * @param health what active checks say
 * @param fault what was wrong with the last bad check of an unhealthy endpoint; empty if it is not unhealthy, or nobody knows
 * @param admin what the operator says
 * @param weight what the operator has set in place of the configured weight; 0 = nothing
 * @param ejectedUntil not used before that time, since it has failed under traffic; {@link #NEVER} if that did not happen
 * @param since from when on it has been fit for use, for the slow start; {@link #NEVER} if it has been from the beginning
 */
public record EndpointState(Health health, String fault, AdminState admin, int weight, long ejectedUntil, long since) {
    /** A point in time before all others. */
    public static final long NEVER = Long.MIN_VALUE;

    /** Of an endpoint of which nothing is known. */
    public static final EndpointState INITIAL =
            new EndpointState(Health.UNKNOWN, "", AdminState.ENABLED, 0, NEVER, NEVER);

    /** What active checks say of an endpoint. */
    public enum Health {
        /** Not checked, or not yet: taken for healthy. */
        UNKNOWN,
        HEALTHY,
        UNHEALTHY
    }

    /** What the operator says of an endpoint. */
    public enum AdminState {
        ENABLED,
        /** Finishes what it has, and serves those who are bound to it by persistence; gets nothing new. */
        DRAINING,
        /** Gets nothing. */
        DISABLED
    }

    /** Whether nothing speaks against its health at {@code now}. */
    boolean isHealthy(long now) {
        return health != Health.UNHEALTHY && now >= ejectedUntil;
    }

    /** From when on it has been fit for use without a break. */
    long fitSince() {
        return Math.max(since, ejectedUntil);
    }

    /** @param why as {@link #fault} */
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
