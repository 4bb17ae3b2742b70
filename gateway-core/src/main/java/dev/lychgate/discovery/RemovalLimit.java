package dev.lychgate.discovery;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.upstream.FoundEndpoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Limits the share by which the number of ready endpoints of a service may fall within a period. Without the limit, a
 * registry that loses a part of its state would remove endpoints that still work. Beyond the limit, endpoints are
 * retained although the source no longer reports them as ready. Not thread-safe.
 *
 * <p>The following removals are always permitted:
 *
 * <ul>
 *   <li>An endpoint that checks or traffic have found unhealthy is removed.
 *   <li>Endpoints are replaced by an equal number of new endpoints.
 *   <li>One endpoint is removed, unless it is the last one.
 * </ul>
 *
 * <p>The limit compares the number of endpoints with the highest number that was in use within the period. When this
 * highest number is older than the period, it no longer counts. If a source continues to report few endpoints, the
 * gateway therefore removes the retained endpoints step by step.
 */
final class RemovalLimit {
    /** A number of endpoints that was in use. The limit takes the number into account until the time {@code until}. */
    private record Earlier(long until, int size) {}

    private final double share;
    private final long period;
    private final Deque<Earlier> earlier = new ArrayDeque<>();

    /**
     * The endpoints to use.
     *
     * @param retained the number of these endpoints that the source does not report as ready
     * @param again the time at which more endpoints may be removed; {@link Long#MAX_VALUE} if no endpoints are retained
     */
    record Limited(List<FoundEndpoint> endpoints, int retained, long again) {}

    /**
     * Creates a limit without any earlier number of endpoints.
     *
     * @param share the largest share of the endpoints that may be removed in a period, from 0 to 1
     * @param period nanoseconds
     */
    RemovalLimit(double share, long period) {
        this.share = share;
        this.period = period;
    }

    /**
     * Returns the endpoints to use after a report.
     *
     * @param used the endpoints in use
     * @param reported the reported endpoints, of which at least one is ready
     * @param healthy returns true for an endpoint that neither checks nor traffic have found unhealthy
     * @param now nanoseconds
     */
    Limited apply(List<FoundEndpoint> used, List<FoundEndpoint> reported, Predicate<FoundEndpoint> healthy, long now) {
        earlier.removeIf(each -> each.until() - now <= 0);
        List<FoundEndpoint> ready = used.stream().filter(FoundEndpoint::isReady).toList();
        Set<EndpointAddress> kept = new HashSet<>();
        reported.stream().filter(FoundEndpoint::isReady).forEach(each -> kept.add(each.address()));
        List<FoundEndpoint> lost = ready.stream()
                .filter(each -> !kept.contains(each.address()))
                .filter(healthy)
                .limit(Math.max(0, least(ready.size()) - kept.size()))
                .toList();
        int size = kept.size() + lost.size();
        if (size < ready.size()) {
            earlier.add(new Earlier(now + period, ready.size()));
        }
        if (lost.isEmpty()) {
            return new Limited(reported, 0, Long.MAX_VALUE);
        }
        long again = earlier.stream().mapToLong(Earlier::until).min().orElse(now + period);
        return new Limited(together(reported, lost), lost.size(), again);
    }

    /** Returns the smallest permitted number of endpoints if {@code size} endpoints were in use. */
    private int least(int size) {
        int most = earlier.stream().mapToInt(Earlier::size).reduce(size, Math::max);
        return Math.min((int) Math.ceil(most * (1 - share)), most - 1);
    }

    private static List<FoundEndpoint> together(List<FoundEndpoint> reported, List<FoundEndpoint> retained) {
        Set<EndpointAddress> named = new HashSet<>();
        retained.forEach(each -> named.add(each.address()));
        List<FoundEndpoint> all = new ArrayList<>();
        reported.stream().filter(each -> !named.contains(each.address())).forEach(all::add);
        all.addAll(retained);
        return all;
    }
}
