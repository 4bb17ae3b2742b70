package dev.lychgate.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Handshakes and frames of RFC 6455, byte by byte, for scripts and raw clients. Independent of the gateway. */
public final class WebSockets {
    /** The key of RFC 6455's example. */
    public static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
    /** The value of {@code Sec-WebSocket-Accept} for {@link #KEY}. */
    public static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

    public static final int TEXT = 1;
    public static final int CLOSE = 8;
    public static final int PING = 9;

    private static final int MASK = 0x37fa213d;

    private WebSockets() {}

    /** A client's handshake with {@code fields} besides, each a line without its end. */
    public static String handshake(String path, String... fields) {
        StringBuilder text = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY + "\r\n");
        for (String field : fields) {
            text.append(field).append("\r\n");
        }
        return text.append("\r\n").toString();
    }

    /** The response of an origin that accepts {@code request}, with additional {@code fields}. */
    public static String granted(RawMessage request, String... fields) {
        return Responses.head(
                        101,
                        "Upgrade: websocket",
                        "Connection: Upgrade",
                        "Sec-WebSocket-Accept: "
                                + accept(request.value("sec-websocket-key").orElseThrow()))
                + (fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n") + "\r\n";
    }

    /** Reads a handshake and grants it. */
    public static RawMessage accept(ScriptedConnection connection) throws IOException {
        RawMessage request = connection.readRequest();
        connection.send(granted(request));
        return request;
    }

    /** Grants a handshake and sends every byte back until the other side ends. */
    public static void echo(ScriptedConnection connection) throws IOException {
        accept(connection);
        while (true) {
            byte[] one;
            try {
                one = connection.within(java.time.Duration.ofMinutes(1)).readBytes(1);
            } catch (IOException e) {
                return;
            }
            connection.send(one);
        }
    }

    /** Returns the value of {@code Sec-WebSocket-Accept} for {@code key}. */
    public static String accept(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1")
                    .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A whole frame as a client sends it. */
    public static byte[] masked(int opcode, byte[] payload) {
        byte[] mask = ByteBuffer.allocate(4).putInt(MASK).array();
        byte[] hidden = payload.clone();
        for (int i = 0; i < hidden.length; i++) {
            hidden[i] ^= mask[i % 4];
        }
        return frame(opcode, 0x80, mask, hidden);
    }

    /** A whole frame as a client sends it. */
    public static byte[] masked(int opcode, String payload) {
        return masked(opcode, payload.getBytes(StandardCharsets.UTF_8));
    }

    /** A whole frame as a server sends it. */
    public static byte[] plain(int opcode, byte[] payload) {
        return frame(opcode, 0, new byte[0], payload);
    }

    /** A whole frame as a server sends it. */
    public static byte[] plain(int opcode, String payload) {
        return plain(opcode, payload.getBytes(StandardCharsets.UTF_8));
    }

    /** The payload of a close frame. */
    public static byte[] closing(int code) {
        return ByteBuffer.allocate(2).putShort((short) code).array();
    }

    private static byte[] frame(int opcode, int maskBit, byte[] mask, byte[] payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(0x80 | opcode);
        int n = payload.length;
        if (n < 126) {
            out.write(maskBit | n);
        } else if (n < 65536) {
            out.write(maskBit | 126);
            out.write(n >> 8);
            out.write(n);
        } else {
            out.write(maskBit | 127);
            out.writeBytes(ByteBuffer.allocate(8).putLong(n).array());
        }
        out.writeBytes(mask);
        out.writeBytes(payload);
        return out.toByteArray();
    }

    /** The code in a masked close frame that contains only a code. */
    public static int closeCode(byte[] masked) {
        if (masked.length != 8 || (masked[0] & 0xff) != 0x88 || (masked[1] & 0xff) != 0x82) {
            throw new AssertionError("no masked close frame with a code: "
                    + java.util.HexFormat.of().formatHex(masked));
        }
        return ((masked[6] ^ masked[2]) & 0xff) << 8 | ((masked[7] ^ masked[3]) & 0xff);
    }
}
