package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;

import dev.lychgate.config.Quantity;
import java.util.ArrayList;
import java.util.List;

/** One recorded exchange as text for a terminal. */
public final class ExchangeStory {
    private ExchangeStory() {}

    /**
     * Returns the complete record of an exchange: the request and its outcome, the client, a waterfall of its phases
     * and attempts, and its error.
     *
     * @param story the response of {@code /exchanges/one}
     * @param width number of columns of the waterfall
     */
    public static List<String> lines(JsonValue story, int width) {
        List<String> lines = new ArrayList<>();
        lines.add(head(story));
        lines.add(origins(story));
        lines.add("");
        lines.addAll(Waterfall.draw(Spans.of(story), story.number("ms"), width));
        if (story.has("websocket_end")) {
            lines.add("");
            lines.add("websocket ended: " + story.text("websocket_end"));
        }
        if (story.has("faults")) {
            lines.add("");
            story.list("faults").forEach(fault -> lines.add("injected fault " + Printable.escaped(fault.raw())));
        }
        if (story.has("error")) {
            lines.add("");
            lines.add("error: " + story.text("error") + " (" + story.text("side") + "): " + story.text("detail"));
        }
        return lines;
    }

    /** Returns one line of a list: time, reason, status, duration, id, route, error and request. */
    public static String line(JsonValue story) {
        String line = Printable.clock(story.text("time")) + " "
                + Printable.left(story.text("reason"), 7) + " "
                + status(story)
                + Printable.right(figure(story.number("ms"), 1), 10) + " ms "
                + story.text("id") + " "
                + orDash(story.text("route")) + " "
                + orDash(story.text("error")) + " "
                + request(story);
        return line.stripTrailing();
    }

    private static String head(JsonValue story) {
        return request(story) + " " + status(story) + ", route "
                + orDash(story.text("route")) + ", upstream "
                + upstream(story) + ", "
                + story.text("time") + ", "
                + figure(story.number("ms"), 3) + " ms";
    }

    private static String origins(JsonValue story) {
        String trace = story.has("trace") ? ", trace " + story.text("trace") : "";
        return "id " + story.text("id") + trace + ", " + story.text("reason") + ", from " + story.text("client")
                + " by "
                + story.text("listener")
                + (story.has("protocol") ? ", " + story.text("protocol") : "")
                + ", generation " + Math.round(story.number("generation"))
                + ", " + Quantity.of(Math.round(story.number("request_bytes")), "byte") + " in, "
                + Math.round(story.number("response_bytes")) + " out";
    }

    /** Returns the method and URL of the request, or a note if the exchange has no HTTP request. */
    private static String request(JsonValue story) {
        if (!story.has("method")) {
            return "(no HTTP request)";
        }
        return story.text("method") + " " + story.text("host") + story.text("path");
    }

    /** Returns the upstream of the last attempt. */
    private static String upstream(JsonValue story) {
        List<JsonValue> attempts = story.list("attempts");
        return attempts.isEmpty()
                ? "-"
                : orDash(attempts.get(attempts.size() - 1).text("upstream"));
    }

    /** Returns the status; {@code ---} if there was no response. */
    private static String status(JsonValue story) {
        long status = Math.round(story.number("status"));
        return status == 0 ? "---" : Long.toString(status);
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "-" : text;
    }
}
