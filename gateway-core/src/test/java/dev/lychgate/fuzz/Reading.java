package dev.lychgate.fuzz;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The result of an HTTP/1 reader in comparable form: heads, bodies and ends, in order. */
final class Reading {
    private static final String BODY = "body ";

    private final List<String> words = new ArrayList<>();
    private boolean refused;

    void request(
            String method, String target, boolean http10, String framing, boolean persistent, HttpHeaders headers) {
        words.add(method + " " + target + " " + (http10 ? "1.0" : "1.1") + " " + framing + " " + persistent
                + fields(headers, "host"));
    }

    void response(int status, String reason, String framing, boolean persistent, HttpHeaders headers) {
        words.add(status + " " + reason + " " + framing + " " + persistent + fields(headers, "content-length"));
    }

    void body(String bytes) {
        int last = words.size() - 1;
        if (bytes.isEmpty()) {
            return;
        }
        if (last >= 0 && words.get(last).startsWith(BODY)) {
            words.set(last, words.get(last) + bytes);
        } else {
            words.add(BODY + bytes);
        }
    }

    void end(HttpHeaders trailers) {
        words.add("end " + fields(trailers, ""));
    }

    /** The rest was not read. */
    void refused() {
        refused = true;
    }

    /** @param except a field that one of the readers changes */
    private static List<String> fields(HttpHeaders headers, String except) {
        List<String> fields = new ArrayList<>();
        for (Map.Entry<String, String> field : headers.entries()) {
            String name = field.getKey().toLowerCase(Locale.ROOT);
            // Fields of a WebSocket handshake are not passed on.
            if (!name.equals(except) && !name.startsWith("sec-websocket-")) {
                fields.add(field.getKey() + "=" + field.getValue());
            }
        }
        return fields;
    }

    /**
     * Fails unless {@code oracle} has read the same events and the same end; and, unless one of the two refused the rest, vice
     * versa.
     */
    void requireWithin(Reading oracle) {
        List<String> other = oracle.words;
        boolean same = words.size() <= other.size();
        for (int i = 0; same && i < words.size(); i++) {
            String word = words.get(i);
            boolean cut = refused && i == words.size() - 1 && word.startsWith(BODY);
            same = cut ? other.get(i).startsWith(word) : other.get(i).equals(word);
        }
        same = same && (refused || oracle.refused || words.size() == other.size());
        Finding.unless(same, "Lychgate read %s where Netty read %s", this, oracle);
    }

    @Override
    public String toString() {
        return words + (refused ? " and refused the rest" : "");
    }
}
