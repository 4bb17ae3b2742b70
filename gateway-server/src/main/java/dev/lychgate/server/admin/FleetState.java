package dev.lychgate.server.admin;

import java.util.List;
import java.util.Map;

/**
 * The state of this node of a fleet. A gateway without a fleet thus loads none of the classes for fleets.
 *
 * @param epoch the highest epoch that the node has verified; 0 for none
 * @param active the digest of the release that serves requests; empty for none
 * @param prepared the digest of the release that the node has built and checked; empty for none
 * @param refused the digest of the release that the node has refused last; empty for none
 * @param faults the reasons of the refusal
 * @param store the reason why the store cannot be used; empty if it responds
 */
public record FleetState(
        String node,
        String space,
        long epoch,
        String active,
        String prepared,
        String refused,
        List<String> faults,
        String store,
        Map<String, String> labels) {}
