package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Renders the mirrors of routes, and the differences between responses, as lines for a terminal. */
public final class MirrorText {
    private MirrorText() {}

    /** @param page the response of {@code /mirrors} or {@code /mirrors/examples} */
    public static List<String> lines(JsonValue page) {
        List<JsonValue> mirrors = page.list("mirrors");
        if (mirrors.isEmpty()) {
            return List.of("no requests have been copied");
        }
        List<String> lines = new ArrayList<>();
        lines.add("differences since " + page.text("since"));
        mirrors.forEach(mirror -> add(lines, mirror));
        return lines;
    }

    private static void add(List<String> lines, JsonValue mirror) {
        lines.add(mirror.text("route") + " to " + mirror.text("upstream"));
        counts(lines, "copies", mirror.get("outcomes"));
        counts(lines, "dropped", mirror.get("dropped"));
        counts(lines, "compared", mirror.get("comparisons"));
        for (JsonValue group : mirror.list("differences")) {
            lines.add(
                    "  " + figure(group.number("count"), 0) + " x " + group.text("kind") + " " + group.text("subject"));
            for (JsonValue example : group.list("examples")) {
                lines.add("      " + example.text("method") + " " + example.text("target") + " (" + example.text("id")
                        + "): " + example.text("primary") + " -> " + example.text("shadow"));
            }
        }
        if (mirror.number("further") > 0) {
            lines.add("  " + figure(mirror.number("further"), 0) + " further differences");
        }
    }

    private static void counts(List<String> lines, String title, JsonValue counts) {
        if (!counts.fields().isEmpty()) {
            lines.add("  " + title + ": "
                    + counts.fields().entrySet().stream()
                            .map(count ->
                                    figure(count.getValue().number(), 0) + " " + Printable.escaped(count.getKey()))
                            .collect(Collectors.joining(", ")));
        }
    }
}
