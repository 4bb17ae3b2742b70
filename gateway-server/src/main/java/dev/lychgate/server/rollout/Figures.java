package dev.lychgate.server.rollout;

import java.util.Map;

/**
 * The figures of both generations in the current step, for comparison.
 *
 * @param stable the figures of the stable generation
 * @param candidate the figures of the candidate
 */
public record Figures(Side stable, Side candidate) {
    /**
     * The figures of one generation.
     *
     * @param generation the number of the generation
     * @param all the figures of all exchanges
     * @param routes the figures by the id of the route, or by {@link RolloutMeter#NO_ROUTE}
     */
    public record Side(long generation, Traffic all, Map<String, Traffic> routes) {}

    /**
     * The figures of exchanges that began and ended in the current step.
     *
     * @param exchanges the number of exchanges
     * @param errors the number of exchanges that failed because of the origin or the gateway, including exchanges
     *     with a status of 5xx
     * @param filterFailures the number of exchanges in which a filter failed
     * @param statuses the numbers of exchanges by status class, such as {@code 2xx}; {@code none} counts exchanges
     *     without a status
     * @param perSecond the rate of exchanges during the last second
     * @param p50 the median duration in seconds; NaN without exchanges
     * @param p99 the 99th percentile of the duration in seconds; NaN without exchanges
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
