package dev.lychgate.server.accesslog;

import dev.lychgate.config.HecConfig;

/**
 * Events for Splunk's HTTP Event Collector, concatenated in one body. Each wraps the members of a JSON line in their time,
 * host, source and source type. For one thread.
 *
 * @see <a href="https://docs.splunk.com/Documentation/Splunk/latest/Data/FormateventsforHTTPEventCollector">Format events
 *         for HTTP Event Collector</a>
 */
final class HecEvents {
    private final JsonLines lines;
    private final String around;
    private final LineBuffer body = new LineBuffer(64 << 10);
    private int count;

    /** @param host the host of the events unless one is configured */
    HecEvents(HecConfig config, String host, JsonLines lines) {
        this.lines = lines;
        LineBuffer fields = new LineBuffer(128);
        JsonLines.text(fields, "host", config.host() == null ? host : config.host());
        JsonLines.text(fields, "source", config.source());
        JsonLines.text(fields, "sourcetype", config.sourcetype());
        JsonLines.text(fields, "index", config.index());
        this.around = fields.member("event").toString();
    }

    /** Adds an event. If this throws, nothing is added. */
    void add(AccessRecord record) {
        int before = body.length();
        try {
            long millis = record.beganAt();
            body.append("{\"time\":").append(Math.floorDiv(millis, 1000L));
            body.appendThousandths(Math.floorMod(millis, 1000L)).append(around);
            lines.append(body, record);
            body.append("}\n");
            count++;
        } catch (RuntimeException e) {
            body.truncate(before);
            throw e;
        }
    }

    int count() {
        return count;
    }

    /** Returns the size of the events in bytes: each character is one byte. */
    int bytes() {
        return body.length();
    }

    /** Returns the events and clears this object. */
    byte[] take() {
        count = 0;
        return body.take();
    }
}
