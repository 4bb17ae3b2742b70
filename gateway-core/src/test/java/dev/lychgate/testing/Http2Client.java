package dev.lychgate.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.RawMessage.Field;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/2 client that sends the requested frames, valid or not, and records all received ones. For one thread: it reads
 * frames while it awaits an event. It acknowledges settings and pings, and reopens its windows by the received bytes, unless
 * configured otherwise.
 *
 * <p>Every call ends within the time limit (30 s unless {@link #within} sets another) or fails with an {@link AssertionError}.
 */
public final class Http2Client implements Closeable {
    public static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int PRIORITY = 2;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PUSH_PROMISE = 5;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;

    public static final int NONE = 0;
    public static final int ACK = 1;
    public static final int END_STREAM = 1;
    public static final int END_HEADERS = 4;
    public static final int PADDED = 8;
    public static final int WITH_PRIORITY = 0x20;

    public static final int TABLE_SIZE = 1;
    public static final int INITIAL_WINDOW = 4;
    public static final int CONNECT_PROTOCOL = 8;

    private static final int LONGEST = 16 * 1024;

    /** A received GOAWAY. */
    public record GoAway(int lastStream, Http2Error error) {}

    private final Wire wire;
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 1 << 24);
    private final Map<Integer, Http2Response> answers = new HashMap<>();
    private final List<GoAway> goAways = new ArrayList<>();
    private final Map<Integer, Long> settings = new HashMap<>();
    private final Map<Integer, Long> credit = new HashMap<>();
    private final List<byte[]> blocks = new ArrayList<>();
    private @Nullable Ending ended;
    private boolean answering = true;
    private boolean opening = true;
    private long pongs;
    private long pings;

    private Http2Client(Socket socket, InetSocketAddress address) throws IOException {
        socket.connect(address, (int) Wire.USUAL_LIMIT.toMillis());
        this.wire = new Wire(socket);
    }

    private Http2Client(Wire wire) {
        this.wire = wire;
    }

    /** The other end: it receives requests and sends responses. Reads the preface. */
    static Http2Client accepted(Socket socket) throws IOException {
        Wire wire = new Wire(socket);
        byte[] first = wire.read("preface", () -> wire.in().readNBytes(PREFACE.length()));
        if (!PREFACE.equals(new String(first, ISO_8859_1))) {
            throw new AssertionError("no preface");
        }
        return new Http2Client(wire);
    }

    /** The complete response to a received request: its head, and a body if there is one. */
    public Http2Client respond(int stream, int status, String body) throws IOException {
        headers(stream, body.isEmpty() ? END_STREAM : NONE, ":status", Integer.toString(status));
        return body.isEmpty() ? this : data(stream, body, true);
    }

    /** Awaits the head of the request on that stream. */
    public Http2Response asked(int stream) throws IOException {
        Http2Response request = stream(stream);
        await("head on stream " + stream, request::hasHead);
        return request;
    }

    /**
     * Resets a stream.
     *
     * @param error the number on the wire
     */
    public Http2Client reset(int stream, int error) throws IOException {
        return frame(RST_STREAM, NONE, stream, number(error));
    }

    /** Connects and sends no bytes yet. */
    public static Http2Client silent(InetSocketAddress address) throws IOException {
        return new Http2Client(new Socket(), address);
    }

    /** Connects with a small receive buffer and sends no bytes yet. */
    public static Http2Client silentWithReceiveBuffer(InetSocketAddress address, int bytes) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(bytes);
        return new Http2Client(socket, address);
    }

    /** Uses a connection that another part has opened, and sends no bytes yet. */
    public static Http2Client over(Socket connected) throws IOException {
        return new Http2Client(new Wire(connected));
    }

    /** Connects, and begins with these settings: ids and values. */
    public static Http2Client connect(InetSocketAddress address, int... settings) throws IOException {
        return silent(address).preface(settings);
    }

    /** Sends the preface and these settings: ids and values. */
    public Http2Client preface(int... idsAndValues) throws IOException {
        return send(PREFACE).settings(idsAndValues);
    }

    public Http2Client within(Duration limit) {
        wire.limit(limit);
        return this;
    }

    /** Does not acknowledge settings and pings from here on. */
    public Http2Client answeringNothing() {
        answering = false;
        return this;
    }

    /** Opens no window again from here on. */
    public Http2Client openingNoWindow() {
        opening = false;
        return this;
    }

    // ---- sending

    /** Sends text as it is, one byte per char. */
    public Http2Client send(String text) throws IOException {
        wire.send(Wire.bytes(text));
        return this;
    }

    public Http2Client send(byte[] bytes) throws IOException {
        wire.send(bytes);
        return this;
    }

    /** The bytes of a frame, to be sent as a whole or not. */
    public static byte[] bytes(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) (payload.length >>> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    public Http2Client frame(int type, int flags, int stream, byte... payload) throws IOException {
        return send(bytes(type, flags, stream, payload));
    }

    public Http2Client settings(int... idsAndValues) throws IOException {
        ByteBuffer payload = ByteBuffer.allocate(idsAndValues.length * 3);
        for (int i = 0; i < idsAndValues.length; i += 2) {
            payload.putShort((short) idsAndValues[i]).putInt(idsAndValues[i + 1]);
        }
        return frame(SETTINGS, NONE, 0, payload.array());
    }

    /** A whole GET. */
    public Http2Client get(int stream, String path, String... more) throws IOException {
        return headers(stream, END_STREAM, request("GET", path, more));
    }

    /** The head of a POST with a body that follows. */
    public Http2Client post(int stream, String path, String... more) throws IOException {
        return headers(stream, NONE, request("POST", path, more));
    }

    /** Requests a WebSocket, with the additional fields {@code more}. */
    public Http2Client webSocket(int stream, String path, String... more) throws IOException {
        String[] all = new String[12 + more.length];
        String[] first = {":method", "CONNECT", ":protocol", "websocket", ":scheme", "http"};
        String[] second = {":authority", "lychgate.test", ":path", path, "sec-websocket-version", "13"};
        System.arraycopy(first, 0, all, 0, 6);
        System.arraycopy(second, 0, all, 6, 6);
        System.arraycopy(more, 0, all, 12, more.length);
        return headers(stream, NONE, all);
    }

    /** Names and values of a request's fields. */
    public static String[] request(String method, String path, String... more) {
        String[] all = new String[8 + more.length];
        String[] first = {":method", method, ":scheme", "http", ":authority", "lychgate.test", ":path", path};
        System.arraycopy(first, 0, all, 0, 8);
        System.arraycopy(more, 0, all, 8, more.length);
        return all;
    }

    /**
     * A header block in one frame, or in as many as it needs.
     *
     * @param flags besides END_HEADERS
     */
    public Http2Client headers(int stream, int flags, String... namesAndValues) throws IOException {
        byte[] block = block(namesAndValues);
        int last = Math.max(0, (block.length - 1) / LONGEST);
        for (int i = 0; i <= last; i++) {
            byte[] part = Arrays.copyOfRange(block, i * LONGEST, Math.min(block.length, (i + 1) * LONGEST));
            int all = (i == 0 ? flags : NONE) | (i == last ? END_HEADERS : NONE);
            frame(i == 0 ? HEADERS : CONTINUATION, all, stream, part);
        }
        return this;
    }

    /** A header block: each field is a literal without index, exactly as given. */
    public static byte[] block(String... namesAndValues) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            block.write(0);
            literal(block, namesAndValues[i]);
            literal(block, namesAndValues[i + 1]);
        }
        return block.toByteArray();
    }

    private static void literal(ByteArrayOutputStream block, String text) {
        int rest = text.length();
        if (rest < 127) {
            block.write(rest);
        } else {
            block.write(127);
            for (rest -= 127; rest >= 128; rest >>>= 7) {
                block.write((rest & 127) | 128);
            }
            block.write(rest);
        }
        block.writeBytes(Wire.bytes(text));
    }

    public Http2Client data(int stream, byte[] bytes, boolean end) throws IOException {
        return frame(DATA, end ? END_STREAM : NONE, stream, bytes);
    }

    public Http2Client data(int stream, String text, boolean end) throws IOException {
        return data(stream, Wire.bytes(text), end);
    }

    public Http2Client windowUpdate(int stream, int increment) throws IOException {
        return frame(WINDOW_UPDATE, NONE, stream, number(increment));
    }

    /** Resets a stream by CANCEL. */
    public Http2Client cancel(int stream) throws IOException {
        return frame(RST_STREAM, NONE, stream, number(8));
    }

    public Http2Client goAway(int lastStream) throws IOException {
        return frame(
                GOAWAY,
                NONE,
                0,
                ByteBuffer.allocate(8).putInt(lastStream).putInt(0).array());
    }

    public static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    /** Sends a body as its windows permit, and reads in between. */
    public Http2Client upload(int stream, long bytes) throws IOException {
        byte[] piece = new byte[16 * 1024];
        for (long left = bytes; left > 0; ) {
            int next = (int) Math.min(left, piece.length);
            left -= next;
            put(stream, next == piece.length ? piece : new byte[next], left == 0);
        }
        return this;
    }

    /** Sends these bytes, without an end, as its windows permit, and reads in between. */
    public Http2Client upload(int stream, byte[] bytes) throws IOException {
        for (int at = 0; at < bytes.length; at += LONGEST) {
            put(stream, Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + LONGEST)), false);
        }
        return this;
    }

    private void put(int stream, byte[] piece, boolean end) throws IOException {
        await("window for the upload", () -> mayTake(stream, piece.length));
        credit.merge(0, (long) -piece.length, Long::sum);
        credit.merge(stream, (long) -piece.length, Long::sum);
        data(stream, piece, end);
    }

    private boolean mayTake(int stream, int bytes) {
        return left(0, 65_535) >= bytes && left(stream, settings.getOrDefault(INITIAL_WINDOW, 65_535L)) >= bytes;
    }

    private long left(int stream, long first) {
        return first + credit.getOrDefault(stream, 0L);
    }

    // ---- receiving

    /** Returns when the gateway has read and processed all sent frames: a ping has returned. */
    public Http2Client sync() throws IOException {
        long last = ++pings;
        frame(PING, NONE, 0, ByteBuffer.allocate(8).putLong(last).array());
        await("answer to a ping", () -> pongs >= last);
        return this;
    }

    /** Awaits the head of the response on that stream. */
    public Http2Response head(int stream) throws IOException {
        return asked(stream);
    }

    /**
     * Awaits this number of bytes on that stream, from its start.
     *
     * @return all received bytes, one char per byte
     */
    public String bytes(int stream, long count) throws IOException {
        Http2Response response = stream(stream);
        await(count + " bytes on stream " + stream, () -> response.bytes() >= count);
        return response.body();
    }

    /** The complete response of that stream, regardless of its end. */
    public Http2Response response(int stream) throws IOException {
        Http2Response response = stream(stream);
        await("end of stream " + stream, () -> response.isEnded() || response.reset() != null);
        return response;
    }

    /** The received frames of that stream so far. */
    public Http2Response stream(int stream) {
        return answers.computeIfAbsent(stream, id -> new Http2Response());
    }

    /** Counts the received bytes of that stream instead of storing them. */
    public Http2Client counting(int stream) {
        stream(stream).keepNothing();
        return this;
    }

    /** By what that stream has been reset. */
    public Http2Error awaitReset(int stream) throws IOException {
        Http2Response response = stream(stream);
        await("reset of stream " + stream, () -> response.reset() != null);
        Http2Error reset = response.reset();
        return reset == null ? Http2Error.NO_ERROR : reset;
    }

    /** The last GOAWAY before the connection ends. */
    public GoAway awaitGoAwayAndEnd() throws IOException {
        awaitEnd();
        if (goAways.isEmpty()) {
            throw new AssertionError("the connection ended without GOAWAY");
        }
        return goAways.get(goAways.size() - 1);
    }

    public GoAway awaitGoAway(int number) throws IOException {
        await("GOAWAY " + number, () -> goAways.size() >= number);
        return goAways.get(number - 1);
    }

    public List<GoAway> goAways() {
        return List.copyOf(goAways);
    }

    /** Reads on until the gateway ends the connection. */
    public Ending awaitEnd() throws IOException {
        while (ended == null) {
            readFrame();
        }
        return ended;
    }

    /** A setting of the gateway; null if it has not arrived. */
    public @Nullable Long setting(int id) {
        return settings.get(id);
    }

    /** The bytes by which the gateway has opened a window, minus the bytes that {@link #upload} used. */
    public long credit(int stream) {
        return credit.getOrDefault(stream, 0L);
    }

    /** The received header blocks, unchanged. */
    public List<byte[]> blocks() {
        return List.copyOf(blocks);
    }

    /** Reads frames until {@code reached}. */
    public void await(String what, BooleanSupplier reached) throws IOException {
        while (!reached.getAsBoolean()) {
            if (ended != null) {
                throw new AssertionError("the connection ended before the " + what + "; " + goAways);
            }
            readFrame();
        }
    }

    private void readFrame() throws IOException {
        byte[] head;
        byte[] payload;
        try {
            head = wire.read("frame", () -> wire.in().readNBytes(9));
            if (head.length < 9) {
                ended = Ending.CLOSED;
                return;
            }
            int length = ByteBuffer.wrap(head).getInt(0) >>> 8;
            payload = wire.read("rest of a frame", () -> wire.in().readNBytes(length));
        } catch (SocketException e) {
            ended = Ending.RESET;
            return;
        }
        hear(head[3], head[4], ByteBuffer.wrap(head).getInt(5), payload);
    }

    private void hear(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(payload);
        switch (type) {
            case DATA -> hearData(stream, payload, (flags & END_STREAM) != 0);
            case HEADERS -> {
                if ((flags & END_HEADERS) == 0) {
                    throw new AssertionError("a header block in several frames");
                }
                blocks.add(payload);
                stream(stream).addHeaders(decode(stream, payload));
                if ((flags & END_STREAM) != 0) {
                    stream(stream).end();
                }
            }
            case RST_STREAM -> stream(stream).reset(Http2Error.of(in.getInt()));
            case SETTINGS -> hearSettings(flags, in);
            case PING -> {
                if ((flags & ACK) != 0) {
                    pongs = in.getLong();
                } else if (answering) {
                    acknowledge(PING, payload);
                }
            }
            case GOAWAY -> goAways.add(new GoAway(in.getInt(), Http2Error.of(in.getInt())));
            case WINDOW_UPDATE -> credit.merge(stream, (long) in.getInt(), Long::sum);
            default -> throw new AssertionError("a frame of type " + type + ", which a server does not send");
        }
    }

    private void hearSettings(int flags, ByteBuffer in) throws IOException {
        if ((flags & ACK) != 0) {
            return;
        }
        while (in.hasRemaining()) {
            settings.put((int) in.getShort(), (long) in.getInt());
        }
        if (answering) {
            acknowledge(SETTINGS);
        }
    }

    private void acknowledge(int type, byte... payload) throws IOException {
        try {
            frame(type, ACK, 0, payload);
        } catch (SocketException gone) {
            // The other side may have ended the connection since it sent the frame. Its remaining bytes can be read.
        }
    }

    private void hearData(int stream, byte[] payload, boolean end) throws IOException {
        stream(stream).addData(payload);
        if (end) {
            stream(stream).end();
        }
        if (opening && payload.length > 0) {
            try {
                windowUpdate(0, payload.length);
                if (!end) {
                    windowUpdate(stream, payload.length);
                }
            } catch (SocketException gone) {
                // Its remaining bytes can be read.
            }
        }
    }

    private List<Field> decode(int stream, byte[] block) {
        List<Field> fields = new ArrayList<>();
        ByteBuf in = Unpooled.wrappedBuffer(block);
        try {
            decoder.decodeHeaders(stream, in)
                    .forEach(field -> fields.add(new Field(
                            field.getKey().toString(), field.getValue().toString())));
        } catch (Http2Exception e) {
            throw new AssertionError("a header block that cannot be decoded", e);
        } finally {
            in.release();
        }
        return fields;
    }

    /** Sends a FIN and continues reading. */
    public Http2Client halfClose() throws IOException {
        wire.halfClose();
        return this;
    }

    /** The number of bytes that the system has accepted so far. */
    public long bytesSent() {
        return wire.bytesSent();
    }

    /** Text of that many bytes, all of them {@code a}. */
    public static String text(int bytes) {
        return new String(new byte[bytes], ISO_8859_1).replace('\0', 'a');
    }

    @Override
    public void close() {
        wire.close();
    }
}
