package dev.lychgate.zuul;

import dev.lychgate.testing.RawMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/**
 * What the origins received and what the client received, one line per fact. Fields of a connection and of the framing are left
 * out, because they belong to each server. The order of fields with different names has no meaning and is sorted.
 */
record Outcome(List<String> origin, List<String> client) {
    private static final Set<String> OF_THE_CONNECTION = Set.of(
            "connection",
            "keep-alive",
            "content-length",
            "transfer-encoding",
            "te",
            "trailer",
            "date",
            "host",
            "http2-settings",
            "server",
            "upgrade",
            "via",
            // The gateway sends its identifier of the request.
            "x-request-id");
    /** The length of the longest body that is printed. Of longer bodies, a digest is printed. */
    private static final int SHOWN = 200;

    static Outcome of(List<RawMessage> requests, RawMessage response) throws IOException {
        List<String> origin = new ArrayList<>();
        for (RawMessage request : requests) {
            origin.add(request.method() + " " + request.target());
            origin.addAll(fields(request));
            origin.add("body " + shown(request.bodyBytes()));
        }
        List<String> client = new ArrayList<>();
        client.add(Integer.toString(response.status()));
        client.addAll(fields(response));
        // The body of a problem contains the identifier of the request.
        client.add(
                response.values("content-type").contains("application/problem+json")
                        ? "body a problem of the gateway"
                        : "body " + shown(decoded(response)));
        return new Outcome(List.copyOf(origin), client.stream().sorted().toList());
    }

    /** Returns this outcome with a further header of the client. */
    Outcome withClientField(String field) {
        List<String> more = new ArrayList<>(client);
        more.add(field);
        return new Outcome(origin, more.stream().sorted().toList());
    }

    private static List<String> fields(RawMessage message) {
        return message.fields().stream()
                .filter(field -> !OF_THE_CONNECTION.contains(field.name().toLowerCase(Locale.ROOT)))
                .filter(field -> !field.name().toLowerCase(Locale.ROOT).startsWith("x-forwarded-"))
                .map(field -> field.name().toLowerCase(Locale.ROOT) + ": " + field.value())
                .sorted()
                .toList();
    }

    private static byte[] decoded(RawMessage response) throws IOException {
        byte[] body = response.bodyBytes();
        if (body.length == 0 || !response.values("content-encoding").contains("gzip")) {
            return body;
        }
        try (GZIPInputStream unzipped = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return unzipped.readAllBytes();
        }
    }

    private static String shown(byte[] body) {
        if (body.length <= SHOWN) {
            return '"' + new String(body, StandardCharsets.ISO_8859_1) + '"';
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            return body.length + " bytes, SHA-256 " + HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "origin:\n  " + String.join("\n  ", origin) + "\nclient:\n  " + String.join("\n  ", client);
    }
}
