package dev.lychgate.server.registries;

import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.ObjIntConsumer;

/**
 * Writes rows for {@code /api/put} of OpenTSDB, several per body. Each body is smaller than 8 KiB, because OpenTSDB
 * treats larger bodies as chunked and rejects chunked bodies by default. Characters that are invalid in names become
 * underscores.
 *
 * @see <a href="http://opentsdb.net/docs/build/html/api_http/put.html">OpenTSDB: /api/put</a>
 */
final class OpenTsdbRows {
    private static final int MOST_CHARACTERS = 8_000;

    private final long seconds;
    private final Map<String, String> tags;
    private final ObjIntConsumer<byte[]> to;
    private final StringBuilder body = new StringBuilder(MOST_CHARACTERS);
    private int rows;

    /**
     * @param seconds the time of all rows, in seconds since 1970
     * @param tags the tags of every row, at least one
     * @param to receives each body and the number of its rows
     */
    OpenTsdbRows(long seconds, Map<String, String> tags, ObjIntConsumer<byte[]> to) {
        this.seconds = seconds;
        this.tags = tags;
        this.to = to;
    }

    /** Adds a row. NaN and infinite values are omitted, because OpenTSDB does not support them. */
    void add(String metric, double value, Map<String, String> labels) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return;
        }
        boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
        JsonObject all = new JsonObject();
        tags.forEach((tag, text) -> all.with(safe(tag), safe(text)));
        labels.forEach((label, text) -> all.with(safe(label), safe(text)));
        String row = JsonText.of(new JsonObject()
                .with("metric", safe(metric))
                .with("timestamp", seconds)
                .with("value", whole ? (Number) (long) value : value)
                .with("tags", all));
        if (body.length() + row.length() + 2 > MOST_CHARACTERS) {
            finish();
        }
        body.append(rows == 0 ? '[' : ',').append(row);
        rows++;
    }

    /** Returns {@code text} with an underscore for each character that OpenTSDB does not allow in names and values. */
    static String safe(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean allowed = (c < 0x80 && Character.isLetterOrDigit(c)) || "-_./".indexOf(c) >= 0;
            safe.append(allowed ? c : '_');
        }
        return safe.isEmpty() ? "_" : safe.toString();
    }

    /** Passes the last body to the receiver. This body contains the rows that were added but not passed yet. */
    void finish() {
        if (rows > 0) {
            body.append(']');
            to.accept(body.toString().getBytes(StandardCharsets.US_ASCII), rows);
            body.setLength(0);
            rows = 0;
        }
    }
}
