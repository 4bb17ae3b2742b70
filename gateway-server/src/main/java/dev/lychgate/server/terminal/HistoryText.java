package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;

import java.util.ArrayList;
import java.util.List;

/** The history of changes, as lines for a terminal. */
public final class HistoryText {
    private HistoryText() {}

    /**
     * Shows the entries, the newest first.
     *
     * @param page the response of {@code /history}
     */
    public static List<String> lines(JsonValue page) {
        List<String> lines = new ArrayList<>();
        page.list("entries").forEach(entry -> add(lines, entry));
        if (lines.isEmpty()) {
            lines.add("no entries");
        }
        return lines;
    }

    private static void add(List<String> lines, JsonValue entry) {
        lines.add(
                "#" + figure(entry.number("number"), 0) + "  " + entry.text("time") + "  " + entry.text("action") + "  "
                        + entry.text("verdict") + "  by " + author(entry) + generations(entry) + "  "
                        + figure(entry.number("milliseconds"), 0) + " ms");
        if (entry.has("arguments")) {
            StringBuilder parameters = new StringBuilder("   ");
            entry.get("arguments")
                    .fields()
                    .forEach((name, value) -> parameters
                            .append(' ')
                            .append(Printable.escaped(name))
                            .append('=')
                            .append(Printable.escaped(value.raw())));
            lines.add(parameters.toString());
        }
        for (JsonValue file : entry.list("files")) {
            String digest = file.has("sha256") ? "  " + file.text("sha256") : "";
            lines.add("    " + file.text("change") + " " + file.text("path") + digest);
        }
        if (entry.has("more_files")) {
            lines.add("    and " + figure(entry.number("more_files"), 0) + " more files");
        }
        if (entry.has("reason")) {
            lines.add("    " + entry.text("reason"));
        }
    }

    private static String author(JsonValue entry) {
        StringBuilder author = new StringBuilder(entry.text("by"));
        if (entry.has("operator")) {
            author.append(' ').append(entry.text("operator"));
        }
        if (entry.has("address")) {
            author.append(" from ").append(entry.text("address"));
        }
        if (entry.has("proof")) {
            author.append(" with ").append(entry.text("proof"));
        }
        return author.toString();
    }

    private static String generations(JsonValue entry) {
        String to = entry.has("to") ? figure(entry.number("to"), 0) : "";
        String from = entry.has("from") ? figure(entry.number("from"), 0) : "";
        if (from.isEmpty() && to.isEmpty()) {
            return "";
        }
        boolean both = !from.isEmpty() && !to.isEmpty() && !from.equals(to);
        return "  generation " + (both ? from + " to " + to : to.isEmpty() ? from : to);
    }
}
