package dev.lychgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.lychgate.fuzz.Message.End;
import dev.lychgate.fuzz.Message.Field;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads HTTP/1.1 strictly by the grammar of RFC 9112: this reader reports a fault where a recipient may repair or guess. It
 * shares no code with the codec, because it verifies the codec. Slow and simple.
 *
 * <p>It accepts two irregularities from all senders except the gateway, because the RFC lets a proxy repair them without
 * ambiguity: empty lines before a request (2.2), and a status line that ends with the status (4; many servers omit the space
 * before an empty reason). Chunk extensions are read by the grammar of 7.1.1, blanks included, and dropped; the gateway itself
 * must not send any.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112">RFC 9112 HTTP/1.1</a>
 */
final class StrictReader {
    /** Trailers that no proxy forwards; Netty's decoder drops them. */
    private static final Set<String> DROPPED = Set.of("content-length", "transfer-encoding", "trailer");

    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    private final byte[] in;
    private final boolean ours;
    private int at;

    private StrictReader(byte[] in, int from, boolean ours) {
        this.in = in;
        this.at = from;
        this.ours = ours;
    }

    /** The requests in the bytes, up to the last one that a server may read; the last one may be truncated or malformed. */
    static List<Message> requests(byte[] in) {
        return requests(in, false);
    }

    /** The requests that the gateway sent. */
    static List<Message> forwarded(byte[] in) {
        return requests(in, true);
    }

    private static List<Message> requests(byte[] in, boolean ours) {
        List<Message> all = new ArrayList<>();
        StrictReader reader = new StrictReader(in, 0, ours);
        while (reader.at < in.length) {
            reader.emptyLines();
            if (reader.at == in.length) {
                break;
            }
            Message request = reader.message(m -> reader.requestHead(m));
            all.add(request);
            if (!request.isWhole() || !keepsConnection(request)) {
                break;
            }
        }
        return all;
    }

    /** Whether another request may follow (9.3, and 6.3 on a message with two lengths). */
    private static boolean keepsConnection(Message request) {
        if (request.lists("connection", "close")) {
            return false;
        }
        boolean twoLengths = request.value("transfer-encoding") != null && request.value("content-length") != null;
        return !twoLengths && (!request.start[2].equals("HTTP/1.0") || request.lists("connection", "keep-alive"));
    }

    /**
     * The responses to one request: interim ones, then a final one, unless the bytes end before.
     *
     * @param closed whether the connection was closed cleanly after the last byte
     */
    static List<Message> answers(byte[] in, int from, boolean ours, boolean toHead, boolean closed) {
        List<Message> all = new ArrayList<>();
        StrictReader reader = new StrictReader(in, from, ours);
        while (reader.at < in.length) {
            Message answer = reader.message(m -> reader.answerHead(m, toHead));
            if (answer.untilClose && closed) {
                answer.end = End.WHOLE;
            }
            all.add(answer);
            if (!answer.isWhole() || !answer.isInterim()) {
                break;
            }
        }
        return all;
    }

    // ---- messages

    private interface HeadReading {
        /** @return the length of the body; {@link #CHUNKED} or {@link #UNTIL_CLOSE} */
        long read(Message message) throws Fault, Cut;
    }

    private static final long CHUNKED = -1;
    private static final long UNTIL_CLOSE = -2;

    private Message message(HeadReading head) {
        Message m = new Message();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try {
            long length = head.read(m);
            m.headRead = true;
            if (length == CHUNKED) {
                chunks(m, body);
            } else if (length == UNTIL_CLOSE) {
                m.untilClose = true;
                take(body, Long.MAX_VALUE);
            } else {
                take(body, length);
            }
            m.end = End.WHOLE;
        } catch (Fault e) {
            m.end = End.FAULTY;
            m.fault = e.getMessage() + " at " + at;
        } catch (Cut e) {
            m.end = End.CUT;
        }
        m.body = body.toByteArray();
        m.next = at;
        return m;
    }

    private void emptyLines() {
        while (!ours && at + 1 < in.length && in[at] == '\r' && in[at + 1] == '\n') {
            at += 2;
        }
    }

    private long requestHead(Message m) throws Fault, Cut {
        String line = line();
        int first = line.indexOf(' ');
        int last = line.lastIndexOf(' ');
        require(first > 0 && last > first, "no request line");
        m.start[0] = line.substring(0, first);
        m.start[1] = line.substring(first + 1, last);
        m.start[2] = line.substring(last + 1);
        require(isToken(m.start[0]), "the method is no token");
        require(!m.start[1].isEmpty() && m.start[1].chars().allMatch(c -> c > 32 && c < 127), "not a target");
        require(isVersion(m.start[2]), "not a version of HTTP/1");
        fields(m.fields);
        boolean http10 = m.start[2].equals("HTTP/1.0");
        int hosts = m.values("host").size();
        require(hosts == 1 || (hosts == 0 && http10), hosts + " Host fields");
        List<String> codings = m.values("transfer-encoding");
        long length = length(m);
        if (codings.isEmpty()) {
            return Math.max(length, 0);
        }
        require(!http10, "a transfer coding in HTTP/1.0");
        require(codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked"), "not the one coding");
        require(!ours || length < 0, "two lengths");
        return CHUNKED;
    }

    private long answerHead(Message m, boolean toHead) throws Fault, Cut {
        String line = line();
        require(line.length() >= 12 && isVersion(line.substring(0, 8)) && line.charAt(8) == ' ', "no status line");
        m.start[0] = line.substring(0, 8);
        m.start[1] = line.substring(9, 12);
        require(m.start[1].chars().allMatch(c -> c >= '0' && c <= '9'), "the status is no number");
        require(line.length() > 12 ? line.charAt(12) == ' ' : !ours, "no space behind the status");
        m.start[2] = line.length() > 12 ? line.substring(13) : "";
        fields(m.fields);
        int status = m.status();
        require(status >= 100 && status <= 599, "no such status");
        List<String> codings = m.values("transfer-encoding");
        boolean neverBody = status < 200 || status == 204;
        require(!ours || !neverBody || (codings.isEmpty() && m.value("content-length") == null), "length of nothing");
        if (neverBody || status == 304 || toHead) {
            return 0;
        }
        long length = length(m);
        if (codings.isEmpty()) {
            return length < 0 ? UNTIL_CLOSE : length;
        }
        require(codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked"), "not the one coding");
        require(!ours || length < 0, "two lengths");
        return CHUNKED;
    }

    /** The given length; negative if there is none. */
    private static long length(Message m) throws Fault {
        List<String> lengths = m.values("content-length");
        if (lengths.isEmpty()) {
            return -1;
        }
        String length = lengths.get(0);
        require(
                lengths.size() == 1 && !length.isEmpty() && length.chars().allMatch(c -> c >= '0' && c <= '9'),
                "length");
        try {
            return Long.parseLong(length);
        } catch (NumberFormatException e) {
            throw new Fault("a length beyond all measure");
        }
    }

    private void fields(List<Field> to) throws Fault, Cut {
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            require(colon > 0 && isToken(line.substring(0, colon)), "no field name");
            to.add(new Field(line.substring(0, colon), trim(line.substring(colon + 1))));
        }
    }

    // ---- bodies

    private void chunks(Message m, ByteArrayOutputStream body) throws Fault, Cut {
        while (true) {
            String line = line();
            int digits = 0;
            while (digits < line.length() && Character.digit(line.charAt(digits), 16) >= 0) {
                digits++;
            }
            require(digits > 0, "no chunk size");
            extensions(line, digits);
            String size = line.substring(0, digits).replaceFirst("^0+(?=.)", "");
            require(size.length() < 16, "a chunk beyond all measure");
            long length = Long.parseLong(size, 16);
            if (length == 0) {
                break;
            }
            take(body, length);
            for (char c : new char[] {'\r', '\n'}) {
                if (at == in.length) {
                    throw new Cut();
                }
                require(in[at] == c, "a chunk without its end");
                at++;
            }
        }
        trailers(m);
    }

    private void trailers(Message m) throws Fault, Cut {
        fields(m.trailers);
        if (!ours) {
            m.trailers.removeIf(trailer -> DROPPED.contains(trailer.name().toLowerCase(Locale.ROOT)));
        }
    }

    private static final String BLANKS = "[ \\t]*";
    private static final String TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
    private static final String QUOTED =
            "\"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*+\"";
    /** One chunk-ext of 7.1.1, with the BWS that a recipient must put up with. */
    private static final Pattern EXTENSION = Pattern.compile(
            BLANKS + ";" + BLANKS + TOKEN + "(?:" + BLANKS + "=" + BLANKS + "(?:" + TOKEN + "|" + QUOTED + "))?+");

    /** Validates the extensions after a chunk size; the gateway sends none. */
    private void extensions(String line, int from) throws Fault {
        Matcher extension = EXTENSION.matcher(line);
        int i = from;
        while (!ours && i < line.length() && extension.region(i, line.length()).lookingAt()) {
            i = extension.end();
        }
        require(i == line.length(), "what follows a chunk size is no extension");
    }

    private static int blanks(String line, int from) {
        int i = from;
        while (charAt(line, i) == ' ' || charAt(line, i) == '\t') {
            i++;
        }
        return i;
    }

    private static char charAt(String line, int i) {
        return i < line.length() ? line.charAt(i) : 0;
    }

    private void take(ByteArrayOutputStream body, long length) throws Cut {
        int there = (int) Math.min(length, in.length - at);
        body.write(in, at, there);
        at += there;
        if (there < length) {
            throw new Cut();
        }
    }

    // ---- lines

    /** A line, without its end: no control bytes except tab, and only CRLF ends it. */
    private String line() throws Fault, Cut {
        for (int i = at; i < in.length; i++) {
            int b = in[i] & 0xff;
            if (b == '\r' && i + 1 == in.length) {
                throw new Cut();
            }
            if (b == '\r' && in[i + 1] == '\n') {
                String line = new String(in, at, i - at, ISO_8859_1);
                at = i + 2;
                return line;
            }
            require((b >= 32 && b != 127) || b == '\t', "a control byte");
        }
        throw new Cut();
    }

    private boolean isVersion(String version) {
        return ours ? version.equals("HTTP/1.1") : version.matches("HTTP/1\\.[0-9]");
    }

    private static boolean isToken(String text) {
        return !text.isEmpty() && text.chars().allMatch(StrictReader::isTokenChar);
    }

    private static boolean isTokenChar(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || TOKEN_MARKS.indexOf(c) >= 0;
    }

    private static String trim(String value) {
        int from = blanks(value, 0);
        int to = value.length();
        while (to > from && (value.charAt(to - 1) == ' ' || value.charAt(to - 1) == '\t')) {
            to--;
        }
        return value.substring(from, to);
    }

    private static void require(boolean condition, String fault) throws Fault {
        if (!condition) {
            throw new Fault(fault);
        }
    }

    /** It is no HTTP. */
    private static final class Fault extends Exception {
        private static final long serialVersionUID = 1;

        Fault(String what) {
            super(what, null, false, false);
        }
    }

    /** The bytes end here. */
    private static final class Cut extends Exception {
        private static final long serialVersionUID = 1;

        Cut() {
            super(null, null, false, false);
        }
    }
}
