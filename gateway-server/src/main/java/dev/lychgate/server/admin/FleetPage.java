package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;

/** {@code /fleet}: the state of this node of a fleet. */
final class FleetPage {
    static final Shape<FleetState> SHAPE = new Shape<FleetState>("Fleet", "This node of a fleet.")
            .text("node", "Its name.", node -> node.node())
            .text("space", "The space of the store.", node -> node.space())
            .integer("epoch", "The highest epoch that the node has verified; 0 for none.", node -> node.epoch())
            .optionalText("active", "The digest of the release that serves requests.", node -> node.active())
            .optionalText("prepared", "The digest of the release that was built and checked.", node -> node.prepared())
            .optionalText("refused", "The digest of the release that was refused last.", node -> node.refused())
            .list("faults", Json.TEXT, "The reasons of the refusal.", node -> node.faults())
            .optionalText("store", "Why the store cannot be used.", node -> node.store())
            .field("labels", Json.map(Json.TEXT), "The labels of the configuration.", node -> node.labels());

    private FleetPage() {}
}
