package dev.lychgate.server.engine;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.server.admin.FleetSource;
import dev.lychgate.server.admin.FleetState;
import dev.lychgate.server.fleet.Canary;
import dev.lychgate.server.fleet.FleetHead;
import dev.lychgate.server.fleet.FleetNode;
import dev.lychgate.server.fleet.FleetOperator;
import dev.lychgate.server.fleet.NodeStatus;
import dev.lychgate.server.fleet.NodeTraffic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Supplies the state of the fleet to the admin interface. However many dashboards are open, the store is read at most
 * once per {@link #FRESH}. Thread-safe.
 */
final class FleetView implements FleetSource {
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final FleetNode node;
    private final FleetOperator operator;
    private @Nullable Space last;
    private long readAt;

    FleetView(FleetNode node) {
        this.node = node;
        this.operator = node.operator();
    }

    @Override
    public FleetState node() {
        return state(node.status());
    }

    @Override
    public synchronized Space space() throws UnreadableException, InterruptedException {
        Space known = last;
        if (known != null && System.nanoTime() - readAt < FRESH.toNanos()) {
            return known;
        }
        try {
            Space read = space(operator.head(), operator.nodes());
            last = read;
            readAt = System.nanoTime();
            return read;
        } catch (FleetException e) {
            throw new UnreadableException(e.reason(), e);
        }
    }

    private static Space space(FleetHead head, List<FleetOperator.Reported> nodes) {
        Canary canary = head.canary();
        String digest = canary == null ? null : canary.digest();
        Instant until = canary == null ? null : canary.until();
        return new Space(
                head.space(),
                head.epoch(),
                head.stable(),
                digest,
                until == null ? null : until.toString(),
                head.prepared(),
                head.author(),
                head.reason(),
                nodes.stream()
                        .map(each -> reported(each, head.stable(), digest))
                        .toList());
    }

    private static Node reported(FleetOperator.Reported node, @Nullable String stable, @Nullable String canary) {
        FleetState state = state(node.status());
        NodeTraffic traffic = node.traffic();
        return new Node(
                state,
                Condition.of(state, node.isLost(), stable, canary),
                node.age().toSeconds(),
                traffic.rate(),
                traffic.errorRate(),
                traffic.p50(),
                traffic.p99());
    }

    private static FleetState state(NodeStatus status) {
        return new FleetState(
                status.node(),
                status.space(),
                status.epoch(),
                status.active(),
                status.prepared(),
                status.refused(),
                status.faults(),
                status.store(),
                status.labels());
    }
}
