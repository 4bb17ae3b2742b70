package dev.lychgate.server.rollout;

import java.util.Map;

/**
 * The figures of both generations in the current step, side by side.
 *
 * @param stable of the stable generation
 * @param candidate of the candidate
 */
public record Figures(Side stable, Side candidate) {
    /**
     * The figures of one generation.
     *
     * @param generation its number
     * @param all of all exchanges
     * @param routes by the id of the route, or {@link RolloutMeter#NO_ROUTE}
     */
    public record Side(long generation, Traffic all, Map<String, Traffic> routes) {}

    /**
     * Exchanges that began and ended in the current step.
     *
     * @param exchanges their number
     * @param errors those that failed by the fault of the origin or the gateway, status 5xx included
     * @param filterFailures those in which a filter failed
     * @param statuses by status class, {@code 2xx}; {@code none} = without a status
     * @param perSecond exchanges per second, over the last second
     * @param p50 the median duration in seconds; NaN without exchanges
     * @param p99 the 99th percentile, as p50
     */
    public record Traffic(
            long exchanges,
            long errors,
            long filterFailures,
            Map<String, Long> statuses,
            double perSecond,
            double p50,
            double p99) {}
}
