package dev.lychgate.server.accesslog;

import dev.lychgate.config.HecConfig;
import org.jspecify.annotations.Nullable;

/**
 * Events for Splunk's HTTP Event Collector, concatenated in one body. An event consists of a JSON line of the access
 * log and its time, host, source and source type. Not thread-safe.
 *
 * @see <a href="https://docs.splunk.com/Documentation/Splunk/latest/Data/FormateventsforHTTPEventCollector">Format
 *     events for HTTP Event Collector</a>
 */
final class HecEvents {
    private static final byte[] TIME = LineBuffer.constant("{\"time\":");
    private static final byte[] END = LineBuffer.constant("}\n");

    private final JsonLines lines;
    private final byte[] around;
    private final byte[] aroundChange;
    private final LineBuffer body = new LineBuffer(64 << 10);
    private int count;

    /** @param host the host of the events if the configuration names no host */
    HecEvents(HecConfig config, String host, JsonLines lines) {
        this.lines = lines;
        this.around = around(config, host, config.sourcetype());
        this.aroundChange = around(config, host, LoggedChange.SOURCETYPE);
    }

    private static byte[] around(HecConfig config, String host, String sourcetype) {
        LineBuffer fields = new LineBuffer(128);
        field(fields, "host", config.host() == null ? host : config.host());
        field(fields, "source", config.source());
        field(fields, "sourcetype", sourcetype);
        field(fields, "index", config.index());
        return fields.append(",\"event\":").take();
    }

    private static void field(LineBuffer fields, String name, @Nullable String value) {
        if (value != null) {
            fields.append(",\"").append(name).append("\":\"");
            Escapes.json(fields, value);
            fields.append('"');
        }
    }

    /** Adds an event. If this method throws an exception, nothing is added. */
    void add(LoggedItem item) {
        int before = body.length();
        try {
            if (item instanceof AccessRecord record) {
                time(record.beganAt()).append(around);
                lines.append(body, record);
            } else {
                LoggedChange change = (LoggedChange) item;
                time(change.at()).append(aroundChange);
                change.append(body);
            }
            body.append(END);
            count++;
        } catch (RuntimeException e) {
            body.truncate(before);
            throw e;
        }
    }

    private LineBuffer time(long millis) {
        body.append(TIME).append(Math.floorDiv(millis, 1000L));
        return body.appendThousandths(Math.floorMod(millis, 1000L));
    }

    int count() {
        return count;
    }

    /** Returns the size of the events in bytes. */
    int bytes() {
        return body.length();
    }

    /** Returns the events and removes them from this object. */
    byte[] take() {
        count = 0;
        return body.take();
    }
}
