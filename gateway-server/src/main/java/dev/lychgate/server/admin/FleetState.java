package dev.lychgate.server.admin;

import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.metrics.NodeRelease;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The state of this node of a fleet. This record does not depend on the implementation of fleets, so a gateway without
 * a fleet does not load that implementation.
 *
 * @param epoch the highest epoch that the node has verified; 0 for none
 * @param active the digest of the release that serves requests; empty for none
 * @param prepared the digest of the release that the node has built and checked; empty for none
 * @param refused the digest of the release that the node has refused last; empty for none
 * @param faults the reasons of the refusal
 * @param store the reason why the store cannot be used; empty if the store responds
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
        Map<String, String> labels) {
    /** Exposes the state of the node as metrics, which are 0 until the node has started. */
    public static void showIn(GatewayMetrics metrics, Generations generations) {
        metrics.gauge(
                "lychgate.fleet.epoch",
                "The highest epoch of the head that this node has verified",
                () -> of(generations, FleetState::epoch));
        metrics.gauge(
                "lychgate.fleet.store.up",
                "1 while the store of the fleet responds; else 0",
                () -> of(generations, state -> state.store().isEmpty() ? 1 : 0));
        metrics.gauge(
                "lychgate.fleet.refused",
                "1 while the node refuses the release or the head that it has read last; else 0",
                () -> of(generations, state -> state.faults().isEmpty() ? 0 : 1));
        metrics.bind(() -> release(generations.fleet()));
    }

    private static @Nullable NodeRelease release(@Nullable FleetSource fleet) {
        return fleet == null ? null : fleet.node().release();
    }

    private NodeRelease release() {
        return new NodeRelease(space, node, active);
    }

    private static long of(Generations generations, ToLongFunction<FleetState> figure) {
        FleetSource fleet = generations.fleet();
        return fleet == null ? 0 : figure.applyAsLong(fleet.node());
    }
}
