package dev.lychgate.server.cli;

import dev.lychgate.config.Quantity;
import dev.lychgate.server.fleet.FleetOperator.Reported;
import dev.lychgate.server.fleet.NodeTraffic;
import dev.lychgate.server.json.JsonObject;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The traffic of the nodes that serve one release, to compare a canary with the release in force.
 *
 * @param traffic the sum of the nodes' rates, and for each percentile the largest value among the nodes
 */
record FleetSide(int nodes, NodeTraffic traffic) {
    /** Returns the total traffic of the nodes that serve a release, without lost nodes. */
    static FleetSide of(@Nullable String digest, List<Reported> nodes) {
        List<NodeTraffic> each = nodes.stream()
                .filter(node -> !node.isLost() && node.status().active().equals(digest))
                .map(Reported::traffic)
                .toList();
        return new FleetSide(each.size(), each.stream().reduce(NodeTraffic.NONE, FleetSide::plus));
    }

    private static NodeTraffic plus(NodeTraffic one, NodeTraffic other) {
        return new NodeTraffic(
                one.rate() + other.rate(),
                one.errorRate() + other.errorRate(),
                larger(one.p50(), other.p50()),
                larger(one.p99(), other.p99()));
    }

    private static double larger(double one, double other) {
        return Double.isNaN(one) || other > one ? other : one;
    }

    String line() {
        return Quantity.of(nodes, "node") + "  " + line(traffic);
    }

    static String line(NodeTraffic traffic) {
        if (Double.isNaN(traffic.p99())) {
            return "no traffic";
        }
        double errors = traffic.rate() == 0 ? 0 : 100 * traffic.errorRate() / traffic.rate();
        return String.format(Locale.ROOT, "%.1f/s  %.2f %% errors  p99 %.1f ms", traffic.rate(), errors, traffic.p99());
    }

    JsonObject json() {
        return new JsonObject().with("nodes", nodes).with("traffic", traffic.json());
    }
}
