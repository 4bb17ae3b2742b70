package dev.lychgate.server.accesslog;

import dev.lychgate.server.history.Entry;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.json.Shape;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** An access log item that contains one entry of the change history. */
record LoggedChange(Entry entry) implements LoggedItem {
    /**
     * The source type of the event for a collector. Searches for exchanges, which have another source type, do not find
     * the event.
     */
    static final String SOURCETYPE = "lychgate:change";

    /** The format of times, always with milliseconds as in lines about exchanges. */
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final Shape<LoggedChange> SHAPE = new Shape<LoggedChange>("LoggedChange", "A line about a change.")
            .text(
                    "time",
                    "The time at which the change ended.",
                    change -> TIME.format(change.entry.change().time()))
            .text("event", "Distinguishes this line from lines about exchanges.", change -> "change")
            .field("change", Entry.SHAPE, "The entry of the history.", LoggedChange::entry);

    /** Appends this change as a JSON object. */
    void append(LineBuffer line) {
        String text = new String(JsonText.bytes(SHAPE, this), StandardCharsets.US_ASCII);
        line.append(text.stripTrailing());
    }

    /** Returns the end of the change, in milliseconds since 1970. */
    long at() {
        return entry.change().time().toEpochMilli();
    }
}
