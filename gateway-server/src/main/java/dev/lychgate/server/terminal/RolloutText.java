package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;

import dev.lychgate.config.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The rollout of a candidate, as lines for a terminal. */
public final class RolloutText {
    private RolloutText() {}

    /**
     * Shows the state of the rollout, the current step, and the verdict with its numbers.
     *
     * @param page the response of {@code /rollout}
     */
    public static List<String> lines(JsonValue page) {
        List<String> lines = new ArrayList<>();
        lines.add(head(page));
        if (page.has("share")) {
            lines.add("share: " + page.text("share") + " by " + page.text("by") + ", step "
                    + figure(page.number("step"), 0) + " of "
                    + page.list("steps").size() + " (" + steps(page) + ") since " + page.text("step_since"));
            lines.add("hold: " + seconds(page, "hold_ms") + ", " + seconds(page, "holds_for_ms") + " left");
        }
        if (page.has("why")) {
            lines.add("change: " + page.text("why"));
        }
        if (page.has("verdict")) {
            lines.add("verdict: " + page.text("verdict"));
            page.list("findings").forEach(finding -> lines.add("  " + finding.text("text")));
        }
        JsonValue figures = page.get("figures");
        if (figures.has("candidate")) {
            lines.add(side("candidate", figures.get("candidate")));
            lines.add(side("stable", figures.get("stable")));
        }
        shadow(lines, page.get("shadow"));
        if (page.has("reason")) {
            lines.add("last: " + page.text("reason"));
        }
        return lines;
    }

    private static void shadow(List<String> lines, JsonValue shadow) {
        if (!shadow.has("state")) {
            return;
        }
        String counts = shadow.get("results").fields().entrySet().stream()
                .filter(count -> count.getValue().number() > 0)
                .map(count -> figure(count.getValue().number(), 0) + " " + Printable.escaped(count.getKey()))
                .collect(Collectors.joining(", "));
        lines.add("shadow: " + shadow.text("state") + ", " + (counts.isEmpty() ? "no copies" : counts));
        if (shadow.has("stopped_by")) {
            lines.add("  stopped: " + shadow.text("stopped_by"));
        }
        for (JsonValue group : shadow.list("differences")) {
            lines.add(
                    "  " + figure(group.number("count"), 0) + " x " + group.text("kind") + " " + group.text("subject"));
            for (JsonValue example : group.list("examples")) {
                lines.add("      " + example.text("method") + " " + example.text("target") + " (" + example.text("id")
                        + "): " + example.text("stable") + " -> " + example.text("candidate"));
            }
        }
        if (shadow.number("further") > 0) {
            lines.add("  " + figure(shadow.number("further"), 0) + " further differences");
        }
    }

    private static String head(JsonValue page) {
        if (!page.has("state")) {
            return page.has("shadow")
                    ? "shadow of generation " + figure(page.number("candidate"), 0)
                    : "no candidate with a shadow";
        }
        if (!page.has("candidate")) {
            return "rollout: " + page.text("state");
        }
        return "rollout of generation " + figure(page.number("candidate"), 0) + ": " + page.text("state")
                + ", beside generation " + figure(page.number("stable"), 0) + ", since " + page.text("since");
    }

    private static String side(String role, JsonValue side) {
        return role + ": " + Quantity.of(Math.round(side.number("exchanges")), "exchange") + ", "
                + figure(side.number("rate"), 1)
                + "/s, "
                + Quantity.of(Math.round(side.number("errors")), "error") + ", "
                + Quantity.of(Math.round(side.number("filter_failures")), "filter failure") + ", p50 "
                + figure(side.number("p50_ms"), 1) + " ms, p99 "
                + figure(side.number("p99_ms"), 1) + " ms";
    }

    private static String steps(JsonValue page) {
        return page.list("steps").stream()
                .map(step -> Printable.escaped(step.raw()))
                .collect(Collectors.joining(", "));
    }

    private static String seconds(JsonValue page, String member) {
        return figure(page.number(member) / 1000, 1) + " s";
    }
}
