package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The rate limits, as lines for a terminal. */
public final class RateLimitsText {
    private RateLimitsText() {}

    /** @param page the response of {@code /rate-limits} or {@code /rate-limits/keys} */
    public static List<String> lines(JsonValue page) {
        List<JsonValue> limits = page.list("rate_limits");
        if (limits.isEmpty()) {
            return List.of("no rate limits are configured");
        }
        List<String> lines = new ArrayList<>();
        for (JsonValue limit : limits) {
            if (limit.has("limit")) {
                addCounts(lines, limit);
            } else {
                addKeys(lines, limit);
            }
        }
        return lines;
    }

    private static void addCounts(List<String> lines, JsonValue limit) {
        lines.add(limit.text("name") + ": " + limit.text("limit") + " " + limit.text("unit") + " by "
                + words(limit, "key") + ", burst " + figure(limit.number("burst"), 0)
                + (limit.text("mode").equals("shadow") ? ", shadow" : "")
                + (limit.has("fleet") ? ", fleet" : ""));
        add(lines, "listeners", limit, "listeners");
        add(lines, "routes", limit, "routes");
        lines.add("  admitted " + figure(limit.number("admitted"), 0) + ", beyond the limit "
                + figure(limit.number("refused"), 0) + ", keys in use " + figure(limit.number("keys"), 0));
        if (limit.has("fleet")) {
            addFleet(lines, limit.get("fleet"));
        }
        if (limit.number("crowded") > 0) {
            lines.add("  " + figure(limit.number("crowded"), 0)
                    + " decisions by shared buckets, because more keys are in use than there are buckets");
        }
    }

    private static void addFleet(List<String> lines, JsonValue fleet) {
        boolean exact = fleet.text("decides").equals("exact");
        lines.add("  " + fleet.text("decides") + " over " + figure(fleet.number("gateways"), 0) + " gateways"
                + (exact ? "" : ", " + figure(fleet.number("leased"), 0) + " units leased") + ", requests to the store "
                + figure(fleet.number("questions"), 0) + ", refused while leasing "
                + figure(fleet.number("unleased"), 0) + ", decided without the store "
                + figure(fleet.number("on_loss_decisions"), 0));
        if (fleet.is("lost")) {
            lines.add("  the store does not respond: " + fleet.text("on_loss"));
        }
    }

    private static void addKeys(List<String> lines, JsonValue limit) {
        lines.add(limit.text("name"));
        for (JsonValue key : limit.list("keys")) {
            lines.add("  " + figure(key.number("refused"), 0) + " " + key.text("key"));
        }
    }

    private static void add(List<String> lines, String title, JsonValue limit, String member) {
        if (!limit.list(member).isEmpty()) {
            lines.add("  " + title + ": " + words(limit, member));
        }
    }

    private static String words(JsonValue limit, String member) {
        return limit.list(member).stream()
                .map(word -> Printable.escaped(word.raw()))
                .collect(Collectors.joining(", "));
    }
}
