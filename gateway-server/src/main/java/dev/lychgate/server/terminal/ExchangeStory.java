package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;

import java.util.ArrayList;
import java.util.List;

/** One recorded exchange, told for a terminal. */
public final class ExchangeStory {
    private ExchangeStory() {}

    /**
     * Its whole story: a head line, where it came from, the waterfall of its time, and what went wrong.
     *
     * @param story as {@code /exchanges/one} has it
     * @param width columns of the waterfall
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
        if (story.has("error")) {
            lines.add("");
            lines.add("error: " + story.text("error") + " (" + story.text("side") + "): " + story.text("detail"));
        }
        return lines;
    }

    /** It and others on a line each: when, why it is recorded, what became of it, its id, and what it was. */
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
                + ", " + Math.round(story.number("request_bytes")) + " bytes in, "
                + Math.round(story.number("response_bytes")) + " out";
    }

    /** As it came; of what was not HTTP there is nothing to say. */
    private static String request(JsonValue story) {
        if (!story.has("method")) {
            return "(no HTTP request)";
        }
        return story.text("method") + " " + story.text("host") + story.text("path");
    }

    /** The last one that was tried. */
    private static String upstream(JsonValue story) {
        List<JsonValue> attempts = story.list("attempts");
        return attempts.isEmpty()
                ? "-"
                : orDash(attempts.get(attempts.size() - 1).text("upstream"));
    }

    /** {@code ---} where nothing was answered. */
    private static String status(JsonValue story) {
        long status = Math.round(story.number("status"));
        return status == 0 ? "---" : Long.toString(status);
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "-" : text;
    }
}
