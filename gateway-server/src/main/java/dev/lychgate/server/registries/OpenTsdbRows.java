package dev.lychgate.server.registries;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.server.json.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes rows as {@code /api/put} of OpenTSDB takes them, several in a body. A body stays below the 8 KiB beyond which
 * OpenTSDB, as it is installed, refuses it as chunked. What its names may not hold becomes an underscore.
 *
 * @see <a href="http://opentsdb.net/docs/build/html/api_http/put.html">OpenTSDB: /api/put</a>
 */
final class OpenTsdbRows {
    private static final int MOST_CHARACTERS = 8_000;

    private final long seconds;
    private final Map<String, String> tags;
    private final List<Body> bodies = new ArrayList<>();
    private final StringBuilder body = new StringBuilder(MOST_CHARACTERS);
    private int rows;

    /** What goes in one request. */
    static final class Body {
        private final byte[] json;
        private final int rows;

        private Body(byte[] json, int rows) {
            this.json = json;
            this.rows = rows;
        }

        byte[] json() {
            return json;
        }

        /** How many it holds. */
        int rows() {
            return rows;
        }
    }

    /**
     * @param seconds since 1970
     * @param tags of every row, at least one
     */
    OpenTsdbRows(long seconds, Map<String, String> tags) {
        this.seconds = seconds;
        this.tags = tags;
    }

    /** Adds a row; what is no number is left out, since OpenTSDB knows none such. */
    void add(String metric, double value, Map<String, String> labels) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return;
        }
        String row = JsonText.of(json -> {
            json.writeStartObject();
            json.writeStringField("metric", safe(metric));
            json.writeNumberField("timestamp", seconds);
            json.writeFieldName("value");
            if (value == Math.rint(value) && Math.abs(value) < 1e15) {
                json.writeNumber((long) value);
            } else {
                json.writeNumber(value);
            }
            json.writeObjectFieldStart("tags");
            write(json, tags);
            write(json, labels);
            json.writeEndObject();
            json.writeEndObject();
        });
        if (body.length() + row.length() + 2 > MOST_CHARACTERS) {
            finish();
        }
        body.append(rows == 0 ? '[' : ',').append(row);
        rows++;
    }

    private static void write(JsonGenerator json, Map<String, String> tags) throws IOException {
        for (Map.Entry<String, String> tag : tags.entrySet()) {
            json.writeStringField(safe(tag.getKey()), safe(tag.getValue()));
        }
    }

    /** Returns {@code text} with an underscore for each character that a name or value of OpenTSDB must not have. */
    static String safe(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean allowed = (c < 0x80 && Character.isLetterOrDigit(c)) || "-_./".indexOf(c) >= 0;
            safe.append(allowed ? c : '_');
        }
        return safe.isEmpty() ? "_" : safe.toString();
    }

    private void finish() {
        if (rows > 0) {
            body.append(']');
            bodies.add(new Body(body.toString().getBytes(StandardCharsets.US_ASCII), rows));
            body.setLength(0);
            rows = 0;
        }
    }

    /** All rows. Call once. */
    List<Body> bodies() {
        finish();
        return bodies;
    }
}
