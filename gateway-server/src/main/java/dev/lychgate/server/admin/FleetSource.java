package dev.lychgate.server.admin;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fleet of this node. These types do not depend on the implementation of fleets, so a gateway without a fleet does
 * not load that implementation.
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
     * The part of the store that belongs to this fleet.
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
     * @param condition the most serious problem of the node
     * @param age the seconds since the report
     * @param rate exchanges per second
     * @param errorRate failures per second
     * @param p50 median of the durations in milliseconds; NaN if there were no exchanges
     * @param p99 99th percentile of the durations in milliseconds; NaN if there were no exchanges
     */
    record Node(
            FleetState state, Condition condition, long age, double rate, double errorRate, double p50, double p99) {}

    /** The most serious problem of a node. The constants are listed from the most to the least serious problem. */
    enum Condition {
        /** The last report of the node is too old, so the node is treated as lost. */
        LOST,
        /** The node has refused a release. */
        REFUSES,
        /** The node can't read the store. */
        NO_STORE,
        /** The node serves a release that the head does not name. */
        BEHIND,
        /** The node has no problem. */
        SERVES;

        /**
         * Returns the condition of a node.
         *
         * @param lost whether the last report of the node is too old
         * @param stable the digest of the release in force; null before the first activation
         * @param canary the digest of the release that some nodes serve; null for none
         */
        public static Condition of(FleetState node, boolean lost, @Nullable String stable, @Nullable String canary) {
            if (lost) {
                return LOST;
            }
            if (!node.faults().isEmpty()) {
                return REFUSES;
            }
            if (!node.store().isEmpty()) {
                return NO_STORE;
            }
            return stable == null
                            || node.active().equals(stable)
                            || node.active().equals(canary)
                    ? SERVES
                    : BEHIND;
        }

        /** Returns the name that the admin interface shows, such as {@code no-store}. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Thrown if the space can't be read; the message states the reason. */
    final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1;

        public UnreadableException(String reason, Throwable cause) {
            super(reason, cause);
        }
    }
}
