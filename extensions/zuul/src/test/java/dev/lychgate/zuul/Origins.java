package dev.lychgate.zuul;

import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedConnection;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** The origin of all requests, and another one that filters choose. */
final class Origins implements AutoCloseable {
    private static final byte[] ZIPPED = gzip("the origin zipped this");
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final ScriptedOrigin main = ScriptedOrigin.answeringWhoStays((request, c) -> respond("main", request, c));
    private final ScriptedOrigin other = ScriptedOrigin.answeringWhoStays((request, c) -> respond("other", request, c));

    String main() {
        return "http://127.0.0.1:" + main.port();
    }

    String other() {
        return "http://127.0.0.1:" + other.port();
    }

    /** Starts a gateway before both origins. */
    ZuulGateway gateway(Map<String, Object> settings, Map<String, String> files) throws Exception {
        return ZuulGateway.start(main, other, settings, files);
    }

    /** Sends one request to a server, and returns what the origins and the client received. */
    Outcome run(InetSocketAddress server, FilterCase filters, Probe probe) throws IOException {
        int before = main.requestsSeen();
        int beforeOther = other.requestsSeen();
        RawMessage response;
        try (RawClient client = RawClient.connect(server).within(LONGEST)) {
            response = client.send(probe.text(filters)).readResponseTo(probe.method());
        }
        List<RawMessage> requests = new ArrayList<>(main.requests().subList(before, main.requestsSeen()));
        requests.addAll(other.requests().subList(beforeOther, other.requestsSeen()));
        return Outcome.of(requests, response);
    }

    private static void respond(String name, RawMessage request, ScriptedConnection connection) throws IOException {
        String path = request.target().replaceFirst("\\?.*", "");
        String common = "X-Origin: " + name;
        if (path.endsWith("/zipped")) {
            connection.send(Responses.head(200, common, "Content-Type: text/plain", "Content-Encoding: gzip")
                    + "Content-Length: " + ZIPPED.length + "\r\n\r\n");
            connection.send(ZIPPED);
            return;
        }
        int status = path.endsWith("/missing") ? 404 : 200;
        String body = status == 404
                ? "no such thing"
                : "the origin received " + request.body().length() + " bytes";
        String whole = Responses.of(
                status,
                body,
                common,
                "Content-Type: text/plain",
                "Cache-Control: no-cache",
                "Set-Cookie: a=1",
                "Set-Cookie: b=2");
        connection.send(request.method().equals("HEAD") ? whole.substring(0, whole.length() - body.length()) : whole);
    }

    private static byte[] gzip(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zipped = new GZIPOutputStream(bytes)) {
            zipped.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        main.close();
        other.close();
    }
}
