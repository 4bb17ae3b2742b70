package dev.lychgate.filters.testing;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A response of the origin of a test. Methods add header fields and the body; the length is set automatically. */
public final class OriginResponse {
    private final int status;
    private final boolean hangsUp;
    private final HttpHeaders headers =
            DefaultHttpHeadersFactory.headersFactory().newHeaders();
    private final List<byte[]> pieces = new ArrayList<>();
    private boolean chunked;

    private OriginResponse(int status, boolean hangsUp) {
        this.status = status;
        this.hangsUp = hangsUp;
    }

    /**
     * Creates a response without a body.
     *
     * @param status the status, from 200 to 599
     */
    public static OriginResponse of(int status) {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("a response with status " + status + " (expected: 200 to 599)");
        }
        return new OriginResponse(status, false);
    }

    /** Creates a placeholder for a missing response: the origin closes the connection instead of responding. */
    public static OriginResponse hangUp() {
        return new OriginResponse(0, true);
    }

    /** Adds a header field. */
    public OriginResponse header(String name, String value) {
        headers.add(name, value);
        return this;
    }

    /** Adds header fields. */
    public OriginResponse headers(Map<String, String> fields) {
        fields.forEach(this::header);
        return this;
    }

    /** Sets the body. */
    public OriginResponse body(byte[] bytes) {
        pieces.clear();
        pieces.add(bytes.clone());
        return this;
    }

    /** Sets the body to {@code text}, in UTF-8. */
    public OriginResponse body(String text) {
        return body(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sets the body to {@code texts}, in UTF-8. Each text is a chunk that arrives separately. */
    public OriginResponse pieces(String... texts) {
        pieces.clear();
        for (String text : texts) {
            pieces.add(text.getBytes(StandardCharsets.UTF_8));
        }
        chunked = true;
        return this;
    }

    boolean isHangUp() {
        return hangsUp;
    }

    /**
     * Returns the bytes of the response as they arrive at the gateway, with one array for each read.
     *
     * @param toHead whether the request is a HEAD
     */
    List<byte[]> onTheWire(boolean toHead) {
        StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(" \r\n");
        boolean neverBody = status == 204 || status == 304;
        if (chunked) {
            headers.set(HttpHeaderNames.TRANSFER_ENCODING, "chunked");
        } else if (!neverBody) {
            int length = pieces.isEmpty() ? 0 : pieces.get(0).length;
            headers.set(HttpHeaderNames.CONTENT_LENGTH, length);
        }
        headers.forEach(field -> head.append(field.getKey())
                .append(": ")
                .append(field.getValue())
                .append("\r\n"));
        List<byte[]> wire = new ArrayList<>();
        wire.add(latin1(head.append("\r\n").toString()));
        if (toHead || neverBody) {
            return wire;
        }
        for (byte[] piece : pieces) {
            if (chunked && piece.length > 0) {
                wire.add(latin1(Integer.toHexString(piece.length) + "\r\n"));
                wire.add(piece);
                wire.add(latin1("\r\n"));
            } else if (piece.length > 0) {
                wire.add(piece);
            }
        }
        if (chunked) {
            wire.add(latin1("0\r\n\r\n"));
        }
        return wire;
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
