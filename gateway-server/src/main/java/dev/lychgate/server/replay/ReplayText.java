package dev.lychgate.server.replay;

import dev.lychgate.server.recording.Recording;
import dev.lychgate.server.recording.Recording.Step;
import dev.lychgate.server.terminal.Printable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Formats the result of a replay for a terminal. Recorded text is escaped, because it may contain control characters
 * that manipulate the terminal.
 */
public final class ReplayText {
    private static final int LONGEST = 200;

    private ReplayText() {}

    /** Returns the filter runs of the replay, its end and its differences, one line each. */
    public static List<String> steps(ReplayResult result) {
        List<String> lines = new ArrayList<>();
        lines.add(title(result.recorded()));
        Recording shown = result.replayed() == null ? result.recorded() : result.replayed();
        for (Step step : shown.steps()) {
            lines.add("  " + shown(step.stage() + " " + step.filter() + ": " + step.outcome()));
            new TreeMap<>(step.changes()).forEach((name, change) -> lines.add("      " + shown(name + ": " + change)));
        }
        lines.add("  " + shown(end(shown)));
        lines.addAll(verdict(result));
        return lines;
    }

    /** Returns only the differences; an empty list if there are none. */
    public static List<String> differences(ReplayResult result) {
        if (result.isSame()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(title(result.recorded()));
        lines.addAll(verdict(result));
        return lines;
    }

    private static String title(Recording of) {
        return shown(of.id() + "  " + Instant.ofEpochMilli(of.time()) + "  "
                + of.request().method() + " " + of.request().path() + " (generation "
                + of.place().generation() + ")");
    }

    private static String end(Recording of) {
        String status = of.response() == null
                ? "no response"
                : "status " + of.response().status();
        return status
                + (of.place().route() == null ? "" : ", route " + of.place().route())
                + (of.place().upstream() == null
                        ? ""
                        : ", upstream " + of.place().upstream())
                + (of.place().brownouts().isEmpty()
                        ? ""
                        : ", brown-out of " + String.join(", ", of.place().brownouts()))
                + (of.error() == null ? "" : ", error " + of.error().kind());
    }

    private static List<String> verdict(ReplayResult result) {
        List<String> lines = new ArrayList<>();
        result.notes().forEach(note -> lines.add("  note: " + shown(note)));
        result.differences().forEach(line -> lines.add("  differs: " + shown(line.toString())));
        if (result.isSame()) {
            lines.add("  same as recorded");
        }
        return lines;
    }

    private static String shown(String text) {
        String escaped = Printable.escaped(text);
        return escaped.length() <= LONGEST ? escaped : escaped.substring(0, LONGEST) + "...";
    }
}
