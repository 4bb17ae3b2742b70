package dev.lychgate.zuul;

import java.util.Locale;

/** The requests that each case is run with. */
enum Probe {
    GET("GET", "/things?page=2&sort=up", "", ""),
    HEAD("HEAD", "/things?page=2&sort=up", "", ""),
    FORM_POST(
            "POST",
            "/things?page=2",
            "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 22\r\n",
            "user=ann&note=a+b%2Bc="),
    CHUNKED_POST(
            "POST",
            "/upload",
            "Content-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n",
            chunks("0123456789abcdef".repeat(400), 16)),
    GZIP("GET", "/zipped", "Accept-Encoding: gzip\r\n", ""),
    MISSING("GET", "/missing", "", "");

    private static final String COMMON = """
            Host: app.test\r
            Accept: text/plain\r
            Cookie: id=7; theme=dark\r
            User-Agent: probe\r
            X-Tenant: blue\r
            X-Twice: one\r
            X-Twice: two\r
            """;

    private final String method;
    private final String target;
    private final String fields;
    private final String body;

    Probe(String method, String target, String fields, String body) {
        this.method = method;
        this.target = target;
        this.fields = fields;
        this.body = body;
    }

    String method() {
        return method;
    }

    /** Returns the bytes of the request, one char per byte. */
    String text(FilterCase filters) {
        return method + " " + target + " HTTP/1.1\r\n" + COMMON + "X-Case: " + filters + "\r\n" + fields + "\r\n"
                + body;
    }

    private static String chunks(String chunk, int count) {
        String one = Integer.toHexString(chunk.length()).toUpperCase(Locale.ROOT) + "\r\n" + chunk + "\r\n";
        return one.repeat(count) + "0\r\n\r\n";
    }
}
