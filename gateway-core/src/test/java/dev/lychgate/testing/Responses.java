package dev.lychgate.testing;

import java.util.Locale;

/** The wire text of ordinary responses, for scripts about other subjects. */
public final class Responses {
    private Responses() {}

    /** A 200 with a Content-Length. */
    public static String ok(String body) {
        return of(200, body);
    }

    /** A response with a Content-Length and these field lines ({@code "X-A: 1"}). */
    public static String of(int status, String body, String... fieldLines) {
        return head(status, fieldLines) + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** A 200 in chunks, one per text, without trailers. */
    public static String chunked(String... chunks) {
        StringBuilder text = new StringBuilder(head(200, "Transfer-Encoding: chunked")).append("\r\n");
        for (String chunk : chunks) {
            text.append(String.format(Locale.ROOT, "%x\r\n%s\r\n", chunk.length(), chunk));
        }
        return text.append("0\r\n\r\n").toString();
    }

    /** Status line and field lines, without the empty line that ends a head. */
    public static String head(int status, String... fieldLines) {
        StringBuilder text = new StringBuilder("HTTP/1.1 " + status + " Scripted\r\n");
        for (String line : fieldLines) {
            text.append(line).append("\r\n");
        }
        return text.toString();
    }
}
