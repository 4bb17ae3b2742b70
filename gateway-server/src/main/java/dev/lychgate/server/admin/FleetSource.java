package dev.lychgate.server.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fleet of this node. These types do not depend on the classes for fleets, so a gateway without a fleet loads none of
 * them.
 */
public interface FleetSource {
    /** Returns the state of this node. Does not block. */
    FleetState node();

    /**
     * Reads the head and the last report of each node from the store. Blocks.
     *
     * @throws UnreadableException if the store does not respond, or its head is refused
     */
    Space space() throws UnreadableException, InterruptedException;

    /**
     * The space of the store.
     *
     * @param stable the digest of the release in force; null before the first activation
     * @param canary the digest of the release that some nodes serve; null for none
     * @param until the time at which the canary ends; null for no limit
     * @param prepared the digest of the release that nodes prepare; null for none
     */
    record Space(
            String name,
            long epoch,
            @Nullable String stable,
            @Nullable String canary,
            @Nullable String until,
            @Nullable String prepared,
            String author,
            String reason,
            List<Node> nodes) {}

    /**
     * The last report of a node.
     *
     * @param lost whether the last report of the node is older than the time after which a report no longer counts
     * @param age the seconds since the report
     * @param rate exchanges per second
     * @param errorRate failures per second
     * @param p50 median of the durations in milliseconds; NaN if there were no exchanges
     * @param p99 99th percentile of the durations in milliseconds; NaN if there were no exchanges
     */
    record Node(FleetState state, boolean lost, long age, double rate, double errorRate, double p50, double p99) {}

    /** Thrown if the space can't be read; the message states the reason. */
    final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1;

        public UnreadableException(String reason, Throwable cause) {
            super(reason, cause);
        }
    }
}
