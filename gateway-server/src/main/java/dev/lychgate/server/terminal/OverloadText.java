package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;

import dev.lychgate.config.Quantity;
import java.util.ArrayList;
import java.util.List;

/**
 * Renders the overload ladder of each upstream as lines for a terminal. A rung is a level of overload. The highest rung
 * is first, and the current rung is marked.
 */
public final class OverloadText {
    private OverloadText() {}

    /** @param page the response of {@code /overload} */
    public static List<String> lines(JsonValue page) {
        List<JsonValue> ladders = page.list("overload");
        if (ladders.isEmpty()) {
            return List.of("no reaction to overload is configured");
        }
        List<String> lines = new ArrayList<>();
        ladders.forEach(ladder -> add(lines, ladder));
        return lines;
    }

    private static void add(List<String> lines, JsonValue ladder) {
        String current = ladder.text("rung");
        lines.add(ladder.text("upstream") + ": " + current
                + (ladder.has("seconds") ? " for " + figure(ladder.number("seconds"), 1) + " s" : "")
                + (ladder.has("reason") ? ", " + ladder.text("reason") : "") + "; shed "
                + figure(ladder.number("shed"), 0) + ", limited " + figure(ladder.number("limited"), 0));
        List<JsonValue> rungs = ladder.list("rungs");
        for (int i = rungs.size() - 1; i >= 0; i--) {
            String name = rungs.get(i).text("rung");
            String mark = name.equals(current) ? "> " : "  ";
            // Transitions to the lowest rung are not counted.
            String reached = i == 0
                    ? ""
                    : "  reached " + Quantity.of(Math.round(rungs.get(i).number("reached")), "time");
            lines.add("  " + mark + (i == 0 ? name : name + " ".repeat(Math.max(0, 8 - name.length()))) + reached);
        }
    }
}
