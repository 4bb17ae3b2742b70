package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import org.jspecify.annotations.Nullable;

/**
 * {@code /fleet}: the state of this node of a fleet. {@code /fleet/nodes}: the whole fleet, as the store records it.
 */
final class FleetPage {
    static final Shape<FleetState> SHAPE = new Shape<FleetState>("Fleet", "This node of a fleet.")
            .text("node", "The name of the node.", node -> node.node())
            .text("space", "The space of the store.", node -> node.space())
            .integer("epoch", "The highest epoch that the node has verified; 0 for none.", node -> node.epoch())
            .optionalText("active", "The digest of the release that serves requests.", node -> node.active())
            .optionalText("prepared", "The digest of the release that was built and checked.", node -> node.prepared())
            .optionalText("refused", "The digest of the release that was refused last.", node -> node.refused())
            .list("faults", Json.TEXT, "The reasons why that release was refused.", node -> node.faults())
            .optionalText(
                    "store",
                    "The reason why the store can't be used; missing if the store responds.",
                    node -> node.store())
            .field("labels", Json.map(Json.TEXT), "The labels of the configuration.", node -> node.labels());

    private static final Shape<FleetSource.Node> NODE = new Shape<FleetSource.Node>(
                    "FleetNode", "The last report of a node.")
            .include(SHAPE, FleetSource.Node::state)
            .text(
                    "condition",
                    "serves, or the most serious problem: lost, refuses, no-store or behind.",
                    node -> node.condition().text())
            .integer("age", "Seconds since the report.", FleetSource.Node::age)
            .number("rate", "Exchanges per second.", FleetSource.Node::rate)
            .number("error_rate", "Failures and responses with status 5xx, per second.", FleetSource.Node::errorRate)
            .optional(
                    "p50_ms",
                    Json.NUMBER,
                    "The median duration; missing without exchanges.",
                    node -> figure(node.p50()))
            .optional(
                    "p99_ms",
                    Json.NUMBER,
                    "The 99th percentile; missing without exchanges.",
                    node -> figure(node.p99()));

    static final Shape<FleetSource.Space> NODES = new Shape<FleetSource.Space>(
                    "FleetNodes", "The head of the fleet, and the last report of each node.")
            .text("space", "The space of the store.", FleetSource.Space::name)
            .integer("epoch", "The epoch of the head.", FleetSource.Space::epoch)
            .optionalText("stable", "The digest of the release in force.", FleetSource.Space::stable)
            .optionalText("canary", "The digest of the release that some nodes serve.", FleetSource.Space::canary)
            .optionalText("until", "When the canary ends.", FleetSource.Space::until)
            .optionalText("prepared", "The digest of the release that nodes prepare.", FleetSource.Space::prepared)
            .text("author", "The author of the head.", FleetSource.Space::author)
            .text("reason", "The reason of the head.", FleetSource.Space::reason)
            .list("nodes", NODE, "Every node, in the order of the names.", FleetSource.Space::nodes);

    private FleetPage() {}

    private static @Nullable Double figure(double millis) {
        return Double.isNaN(millis) ? null : (Double) millis;
    }

    /**
     * Reads the fleet from the store. Blocks.
     *
     * @throws Rejection with 503 if the gateway belongs to no fleet or the store can't be read
     */
    static FleetSource.Space nodes(Generations generations) throws Rejection {
        FleetSource fleet = source(generations);
        try {
            return fleet.space();
        } catch (FleetSource.UnreadableException e) {
            throw new Rejection(AdminResponse.unavailable(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Rejection(AdminResponse.unavailable("interrupted"));
        }
    }

    static FleetSource source(Generations generations) throws Rejection {
        return Rejection.ifAbsent(
                generations.fleet(), "this gateway belongs to no fleet; see the section fleet of the configuration");
    }
}
