package dev.lychgate.server.accesslog;

import dev.lychgate.config.HecConfig;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Events for Splunk's HTTP Event Collector, one after the other in one body: what a line of JSON has, and around it when
 * that was, where it came from and what it is. For one thread.
 *
 * @see <a href="https://docs.splunk.com/Documentation/Splunk/latest/Data/FormateventsforHTTPEventCollector">Format events for
 *     HTTP Event Collector</a>
 */
final class HecEvents {
    private final JsonLines lines;
    private final String around;
    private final StringBuilder body = new StringBuilder(64 << 10);
    private int count;

    /** @param host where it is from, if the configuration does not say */
    HecEvents(HecConfig config, String host, JsonLines lines) {
        this.lines = lines;
        StringBuilder fields = new StringBuilder();
        field(fields, "host", config.host() == null ? host : config.host());
        field(fields, "source", config.source());
        field(fields, "sourcetype", config.sourcetype());
        field(fields, "index", config.index());
        this.around = fields.append(",\"event\":").toString();
    }

    private static void field(StringBuilder fields, String name, @Nullable String value) {
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
            long fraction = Math.floorMod(millis, 1000L);
            body.append("{\"time\":").append(Math.floorDiv(millis, 1000L)).append('.');
            body.append(fraction < 10 ? "00" : fraction < 100 ? "0" : "").append(fraction);
            body.append(around);
            lines.append(body, record);
            body.append("}\n");
            count++;
        } catch (RuntimeException e) {
            body.setLength(before);
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
        byte[] bytes = body.toString().getBytes(StandardCharsets.US_ASCII);
        body.setLength(0);
        count = 0;
        return bytes;
    }
}
