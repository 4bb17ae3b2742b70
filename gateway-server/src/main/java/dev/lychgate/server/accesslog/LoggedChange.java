package dev.lychgate.server.accesslog;

import dev.lychgate.server.history.Entry;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.json.Shape;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** An entry of the history of changes, which is no exchange. */
record LoggedChange(Entry entry) implements LoggedItem {
    /** The source type of its event for a collector, which keeps it out of searches for exchanges. */
    static final String SOURCETYPE = "lychgate:change";

    /** As in lines about exchanges: always with milliseconds. */
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final Shape<LoggedChange> SHAPE = new Shape<LoggedChange>("LoggedChange", "A line about a change.")
            .text(
                    "time",
                    "The time of its end.",
                    change -> TIME.format(change.entry.change().time()))
            .text("event", "To distinguish it from lines about exchanges.", change -> "change")
            .field("change", Entry.SHAPE, "The entry.", LoggedChange::entry);

    /** Appends a JSON object. */
    void append(LineBuffer line) {
        String text = new String(JsonText.bytes(SHAPE, this), StandardCharsets.US_ASCII);
        line.append(text.stripTrailing());
    }

    /** Returns the end of the change, in milliseconds since 1970. */
    long at() {
        return entry.change().time().toEpochMilli();
    }
}
