package dev.lychgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.SplittableRandom;

/**
 * A grammar of almost valid messages: most of the output is valid HTTP, and now and then it has one of the errors that have
 * made two readers disagree. The same seed gives the same output.
 */
final class NastyMessages {
    private static final String[] METHODS = {"GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "X-1"};
    private static final String[] TARGETS = {
        "/",
        "/a/b?q=1",
        "http://h.example/x?y",
        "*",
        "/a/../b",
        "/%2e%2e/x",
        "http://h",
        "/a?b?c#",
        "//x",
        "HTTP://u@h/"
    };
    private static final String[] FIELDS = {
        "X-A: 1",
        "Accept: */*",
        "Connection: keep-alive",
        "Connection: close",
        "Connection: X-A, Host, Content-Length",
        "Expect: 100-continue",
        "Via: 1.1 x",
        "Max-Forwards: 0",
        "Max-Forwards: 2",
        "TE: trailers",
        "Upgrade: h2c",
        "Trailer: X-T",
        "X-Forwarded-For: 1.2.3.4",
        "Cookie: a=b",
        "X-Empty:",
        "x-b:\tv \t"
    };
    private static final String[] NASTY_FIELDS = {
        "Host: b.example",
        "Host:",
        "Host : a",
        "Content-Length: 3",
        "Content-Length: +3",
        "Content-Length: 3, 3",
        "Content-Length: 0x3",
        "Content-Length:\u000b3",
        "Content-Length: 99999999999999999999",
        "Content-Length: -1",
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding:\u000bchunked",
        "Transfer-Encoding : chunked",
        " Transfer-Encoding: chunked",
        "X: a\rTransfer-Encoding: chunked",
        "X: a\nContent-Length: 5",
        "X: \u0000",
        "no colon",
        ": no name",
        "X\u0080: 1",
        "Connection: close, \u00e9",
        "Content-Length: 3\r\nContent-Length: 4",
        "Transfer_Encoding: chunked"
    };
    private static final String[] CHUNK_TAILS = {
        ";a",
        ";a=b",
        " ; a = \"b;\\\"c\"",
        ";",
        " ",
        "\t",
        ";a=\n",
        " x",
        ";a\r",
        ";a=b ;c",
        ";a=\"b\"\t",
        ";a=\"\u00e9\"",
        ";a=\"\\ \"",
        ";a ;b\t=c"
    };
    private static final String[] CHUNK_SIZES = {
        "+3", "0x3", "-3", " 3", "ffffffffffffffff3", "80000003", "003", "g", ""
    };
    private static final String[] ENDS = {"\n", "\r", "\r\r\n", "", "\r\n\r\n", "\n\r"};
    private static final String[] TRAILERS = {
        "X-T: 1\r\n",
        "Content-Length: 9\r\n",
        "Host: evil\r\n",
        "no colon\r\n",
        " folded\r\n",
        "X: \u0001\r\n",
        "X-T: 1\n"
    };

    private final SplittableRandom random;
    private final StringBuilder text = new StringBuilder();
    private final int nastiness;

    private NastyMessages(long seed) {
        random = new SplittableRandom(seed);
        nastiness = random.nextInt(4) * 6;
    }

    /** A case for {@link RequestConversation}. */
    static byte[] requests(long seed) {
        NastyMessages messages = new NastyMessages(seed);
        messages.manner();
        int count = 1 + messages.random.nextInt(3);
        for (int i = 0; i < count; i++) {
            messages.request();
        }
        return messages.bytes();
    }

    /** A case for {@link ResponseConversation}. */
    static byte[] answers(long seed) {
        NastyMessages messages = new NastyMessages(seed);
        messages.manner();
        while (messages.random.nextInt(4) == 0) {
            messages.startLine(
                    messages.pick("HTTP/1.1 100 Continue", "HTTP/1.1 103 ", "HTTP/1.1 102", "HTTP/1.1 101 x"));
            messages.fields();
            messages.endLine();
        }
        int count = messages.random.nextInt(5) == 0 ? 2 : 1;
        for (int i = 0; i < count; i++) {
            messages.answer();
        }
        return messages.bytes();
    }

    private byte[] bytes() {
        if (nasty()) {
            text.setLength(2 + random.nextInt(text.length() - 1));
        }
        if (nasty() && text.length() > 3) {
            text.setCharAt(2 + random.nextInt(text.length() - 2), (char) random.nextInt(256));
        }
        return text.toString().getBytes(ISO_8859_1);
    }

    /** The mode of the conversation: the two bytes before the messages. */
    private void manner() {
        text.append((char) random.nextInt(128)).append((char) random.nextInt(256));
    }

    private void request() {
        if (nasty()) {
            endLine();
        }
        boolean http10 = random.nextInt(8) == 0;
        String space = nasty() ? pick("  ", "\t", "") : " ";
        String version =
                http10 ? "HTTP/1.0" : nasty() ? pick("HTTP/1.2", "HTTP/2.0", "http/1.1", "HTTP/1.10") : "HTTP/1.1";
        startLine(pick(METHODS) + space + pick(TARGETS) + space + version);
        if (!nasty()) {
            line("Host: " + (nasty() ? pick("a,b", "a b", "[::1]:80", "a:99999", "u@a") : "a.example"));
        }
        fields();
        framingAndBody();
    }

    private void answer() {
        String version = nasty() ? pick("HTTP/1.0", "HTTP/2.0", "HTTP/1.9", "ICY") : "HTTP/1.1";
        startLine(version + " "
                + pick("200 OK", "200", "204 x", "304 ", "404 Not \u00e9", "599 ", "600 ", "099 ", "20 x"));
        fields();
        framingAndBody();
    }

    private void startLine(String line) {
        line(line);
    }

    private void fields() {
        for (int i = random.nextInt(4); i > 0; i--) {
            line(nasty() ? pick(NASTY_FIELDS) : pick(FIELDS));
        }
    }

    private void framingAndBody() {
        switch (random.nextInt(4)) {
            case 0 -> {
                int length = random.nextInt(20);
                line("Content-Length: " + (nasty() ? length + 1 : length));
                endLine();
                text.append("b".repeat(length));
            }
            case 1, 2 -> {
                line(nasty() ? "Transfer-Encoding: Chunked" : "Transfer-Encoding: chunked");
                endLine();
                chunks();
            }
            default -> {
                endLine();
                text.append(nasty() ? "GET /smuggled HTTP/1.1\r\nHost: s\r\n\r\n" : "");
            }
        }
    }

    private void chunks() {
        for (int i = random.nextInt(3); i > 0; i--) {
            int length = 1 + random.nextInt(20);
            line((nasty() ? pick(CHUNK_SIZES) : Integer.toHexString(length)) + (nasty() ? pick(CHUNK_TAILS) : ""));
            text.append("c".repeat(length));
            endLine();
        }
        line(nasty() ? pick("00", "0;x", "0 ", "-0", "0x0") : "0");
        text.append(random.nextInt(6) == 0 ? pick(TRAILERS) : "");
        endLine();
    }

    private void line(String line) {
        text.append(line);
        endLine();
    }

    private void endLine() {
        text.append(random.nextInt(400) < nastiness ? pick(ENDS) : "\r\n");
    }

    private boolean nasty() {
        return random.nextInt(100) < nastiness;
    }

    private String pick(String... choice) {
        return choice[random.nextInt(choice.length)];
    }
}
