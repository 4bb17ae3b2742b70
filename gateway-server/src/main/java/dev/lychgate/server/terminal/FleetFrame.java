package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;
import static dev.lychgate.server.terminal.Printable.left;
import static dev.lychgate.server.terminal.Printable.right;

import dev.lychgate.server.terminal.Frame.Tone;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A fleet on one screen: its head, and the last report of each node. Nodes with problems come first. */
public final class FleetFrame {
    private static final String NODES = "/fleet/nodes";

    /** The paths that are requested for each frame. */
    public static final List<String> PATHS = List.of(NODES);

    private static final int NAME = 24;
    private static final int CONDITION = 11;
    private static final int DIGEST = 14;
    private static final int SHORT = 12;
    private static final int FIGURE = 9;

    private final JsonValue fleet;
    private final Frame frame = new Frame();

    private FleetFrame(JsonValue fleet) {
        this.fleet = fleet;
    }

    /** @param gateway the address of the gateway that reads the fleet, for the headline */
    public static Frame of(String gateway, Pages pages) {
        FleetFrame made = new FleetFrame(pages.get(NODES));
        if (pages.has(NODES)) {
            made.head(gateway);
            made.nodes();
        } else {
            made.frame.head("lychgate fleet at " + Printable.escaped(gateway), Tone.HEADING);
            made.frame.head("not shown: " + pages.why(NODES), Tone.TROUBLE);
        }
        return made.frame;
    }

    private void head(String gateway) {
        frame.head(
                "lychgate fleet " + fleet.text("space") + " at " + Printable.escaped(gateway) + "  epoch "
                        + figure(fleet.number("epoch"), 0) + " by " + fleet.text("author") + ": "
                        + fleet.text("reason"),
                Tone.HEADING);
        String canary = fleet.has("canary")
                ? ", canary " + digest("canary") + (fleet.has("until") ? " until " + fleet.text("until") : "")
                : "";
        String prepared = fleet.has("prepared") ? ", in preparation " + digest("prepared") : "";
        frame.head("in force " + digest("stable") + canary + prepared, Tone.PLAIN);
    }

    private String digest(String name) {
        return shortened(fleet.text(name));
    }

    private static String shortened(String digest) {
        return digest.isEmpty() ? "none" : digest.substring(0, Math.min(SHORT, digest.length()));
    }

    private void nodes() {
        List<JsonValue> nodes = fleet.list("nodes");
        if (nodes.isEmpty()) {
            frame.quiet("NODES");
            return;
        }
        frame.section(left("NODES, " + nodes.size(), NAME)
                + left("condition", CONDITION)
                + left("release", DIGEST)
                + right("epoch", FIGURE)
                + right("rate/s", FIGURE)
                + right("errors", FIGURE)
                + right("p99 ms", FIGURE)
                + right("age s", FIGURE));
        nodes.stream()
                .sorted(Comparator.comparing(FleetFrame::serves).thenComparing(node -> node.text("node")))
                .forEach(this::node);
    }

    private void node(JsonValue node) {
        double rate = node.number("rate");
        Tone tone = serves(node) ? Tone.PLAIN : Tone.TROUBLE;
        frame.row(
                left(node.text("node"), NAME)
                        + left(condition(node), CONDITION)
                        + left(shortened(node.text("active")), DIGEST)
                        + right(figure(node.number("epoch"), 0), FIGURE)
                        + right(figure(rate, 1), FIGURE)
                        + right(rate > 0 ? figure(100 * node.number("error_rate") / rate, 1) + "%" : "-", FIGURE)
                        + right(node.has("p99_ms") ? figure(node.number("p99_ms"), 1) : "-", FIGURE)
                        + right(figure(node.number("age"), 0), FIGURE),
                tone);
        node.list("faults").forEach(fault -> frame.row("  " + Printable.escaped(fault.raw()), tone));
        if (node.has("store")) {
            frame.row("  " + node.text("store"), tone);
        }
    }

    private static boolean serves(JsonValue node) {
        return node.text("condition").equals("serves");
    }

    /** Returns the condition of a node. Problems are in capitals. */
    private static String condition(JsonValue node) {
        String condition = node.text("condition");
        return serves(node) ? condition : condition.toUpperCase(Locale.ROOT).replace('-', ' ');
    }
}
