package dev.lychgate.server.accesslog;

import dev.lychgate.config.HecConfig;
import org.jspecify.annotations.Nullable;

/**
 * Events for Splunk's HTTP Event Collector, one after the other in one body: what a line of JSON has, and around it when
 * that was, where it came from and what it is. For one thread.
 *
 * @see <a href="https://docs.splunk.com/Documentation/Splunk/latest/Data/FormateventsforHTTPEventCollector">Format events for
 *     HTTP Event Collector</a>
 */
final class HecEvents {
    private static final byte[] TIME = LineBuffer.constant("{\"time\":");
    private static final byte[] END = LineBuffer.constant("}\n");

    private final JsonLines lines;
    private final byte[] around;
    private final LineBuffer body = new LineBuffer(64 << 10);
    private int count;

    /** @param host where it is from, if the configuration does not say */
    HecEvents(HecConfig config, String host, JsonLines lines) {
        this.lines = lines;
        LineBuffer fields = new LineBuffer(128);
        field(fields, "host", config.host() == null ? host : config.host());
        field(fields, "source", config.source());
        field(fields, "sourcetype", config.sourcetype());
        field(fields, "index", config.index());
        this.around = fields.append(",\"event\":").take();
    }

    private static void field(LineBuffer fields, String name, @Nullable String value) {
        if (value != null) {
            fields.append(",\"").append(name).append("\":\"");
            Escapes.json(fields, value);
            fields.append('"');
        }
    }

    /** Adds an event; adds nothing if that throws. */
    void add(AccessRecord record) {
        int before = body.length();
        try {
            long millis = record.beganAt();
            body.append(TIME).append(Math.floorDiv(millis, 1000L));
            body.appendThousandths(Math.floorMod(millis, 1000L)).append(around);
            lines.append(body, record);
            body.append(END);
            count++;
        } catch (RuntimeException e) {
            body.truncate(before);
            throw e;
        }
    }

    int count() {
        return count;
    }

    /** How many bytes the events have: each character is one. */
    int bytes() {
        return body.length();
    }

    /** The events so far, which are forgotten by this. */
    byte[] take() {
        count = 0;
        return body.take();
    }
}
