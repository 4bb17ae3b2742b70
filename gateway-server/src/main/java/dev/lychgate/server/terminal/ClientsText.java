package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The protection against single clients, and the banned clients, as lines for a terminal. */
public final class ClientsText {
    private ClientsText() {}

    /**
     * Shows the protected listeners.
     *
     * @param page the response of {@code /clients}
     */
    public static List<String> lines(JsonValue page) {
        List<String> lines = new ArrayList<>();
        for (JsonValue listener : page.list("listeners")) {
            addListener(lines, listener);
        }
        if (lines.isEmpty()) {
            lines.add("no listener has a client protection");
        }
        for (JsonValue list : page.list("address_lists")) {
            lines.add("address list " + list.text("name") + ": " + figure(list.number("blocks"), 0) + " blocks");
        }
        lines.add("banned clients: " + figure(page.number("bans"), 0));
        if (page.number("bans_dropped") > 0) {
            lines.add("  " + figure(page.number("bans_dropped"), 0)
                    + " bans were not set, because too many clients were banned");
        }
        return lines;
    }

    private static void addListener(List<String> lines, JsonValue listener) {
        List<String> parts = new ArrayList<>();
        for (String list : List.of("allow", "deny", "exempt")) {
            if (!listener.list(list).isEmpty()) {
                parts.add(list + " "
                        + listener.list(list).stream()
                                .map(name -> Printable.escaped(name.raw()))
                                .collect(Collectors.joining(" ")));
            }
        }
        addLimit(parts, listener, "connections");
        if (listener.has("connection_rate")) {
            parts.add("connections at " + listener.text("connection_rate"));
        }
        addLimit(parts, listener, "requests");
        addLimit(parts, listener, "streams");
        lines.add(listener.text("listener") + ": "
                + (parts.isEmpty() ? "no limits" : String.join(", ", parts))
                + (listener.text("mode").equals("shadow") ? ", shadow" : ""));
        if (listener.has("ban")) {
            lines.add("  bans clients " + listener.text("ban"));
        }
        JsonValue refused = listener.get("refused");
        refused.fields().keySet().forEach(why -> lines.add("  " + why + ": " + figure(refused.number(why), 0)));
        if (listener.number("crowded") > 0) {
            lines.add("  " + figure(listener.number("crowded"), 0)
                    + " shared counts: more clients are active than there are separate counts");
        }
    }

    private static void addLimit(List<String> parts, JsonValue listener, String what) {
        if (listener.has(what)) {
            parts.add(figure(listener.number(what), 0) + " " + what);
        }
    }

    /**
     * Shows one line for each ban.
     *
     * @param page the response of {@code /bans}, or the ban that was set or ended
     */
    public static List<String> bans(JsonValue page) {
        if (page.has("client")) {
            return List.of(ban(page));
        }
        List<JsonValue> bans = page.list("bans");
        return bans.isEmpty()
                ? List.of("no client is banned")
                : bans.stream().map(ClientsText::ban).toList();
    }

    private static String ban(JsonValue ban) {
        return ban.text("client") + " until " + ban.text("until") + " by " + ban.text("by") + " " + ban.text("author")
                + ": " + ban.text("reason");
    }
}
