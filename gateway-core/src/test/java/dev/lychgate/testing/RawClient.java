package dev.lychgate.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A client that sends the given bytes and reads responses strictly. Text is bytes: one char, one byte.
 *
 * <p>For one thread. Every call ends within the time limit (30 s unless {@link #within} sets another) and fails with an
 * {@link AssertionError} if the awaited event did not occur. A connection that ends within a message is an
 * {@link java.io.EOFException}, a reset a {@link java.net.SocketException}.
 */
public final class RawClient implements Closeable {
    private final Wire wire;
    private final MessageReader reader;
    private final List<RawMessage> interim = new ArrayList<>();

    private RawClient(Wire wire) {
        this.wire = wire;
        this.reader = new MessageReader(wire.in());
    }

    /** Connects with the system's buffer sizes. */
    public static RawClient connect(InetSocketAddress address) throws IOException {
        return connect(address, new Socket());
    }

    /** Connects with a small receive buffer, so that a client that stops reading is felt soon. */
    public static RawClient connectWithReceiveBuffer(InetSocketAddress address, int bytes) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(bytes);
        return connect(address, socket);
    }

    private static RawClient connect(InetSocketAddress address, Socket socket) throws IOException {
        try {
            socket.connect(address, (int) Wire.USUAL_LIMIT.toMillis());
            return new RawClient(new Wire(socket));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** A client on a socket that is connected. */
    public static RawClient over(Socket connected) throws IOException {
        return new RawClient(new Wire(connected));
    }

    /** Sets the time limit of every following call. */
    public RawClient within(Duration limit) {
        wire.limit(limit);
        return this;
    }

    /** Sends text, one byte per char. */
    public RawClient send(String text) throws IOException {
        wire.send(Wire.bytes(text));
        return this;
    }

    /** Sends bytes. */
    public RawClient send(byte[] bytes) throws IOException {
        wire.send(bytes);
        return this;
    }

    /** Sends text in chunks of about the same size, with a pause before each but the first. */
    public RawClient sendSlowly(String text, int pieces, Duration pause) throws IOException {
        wire.sendSlowly(Wire.bytes(text), pieces, pause);
        return this;
    }

    /** Sends a plain GET of {@code target} and reads its response. */
    public RawMessage get(String target) throws IOException {
        return send("GET " + target + " HTTP/1.1\r\nHost: lychgate.test\r\n\r\n")
                .readResponse();
    }

    /** Reads the next final response to any request except HEAD. */
    public RawMessage readResponse() throws IOException {
        return readResponseTo("GET");
    }

    /** Reads the next final response; earlier interim ones are added to {@link #interimResponses}. */
    public RawMessage readResponseTo(String method) throws IOException {
        return wire.read("whole response", () -> {
            RawMessage head = reader.responseHead();
            while (head.status() < 200 && head.status() != 101) {
                interim.add(head);
                head = reader.responseHead();
            }
            return reader.responseBody(head, method);
        });
    }

    /** Reads only the next response head, also an interim one. */
    public RawMessage readHead() throws IOException {
        return wire.read("response head", reader::responseHead);
    }

    /** The 1xx responses {@link #readResponse} passed so far. */
    public List<RawMessage> interimResponses() {
        return List.copyOf(interim);
    }

    /** Reads exactly {@code count} bytes. */
    public byte[] readBytes(int count) throws IOException {
        return wire.read(count + " bytes", () -> reader.bytes(count));
    }

    /** Reads all bytes until the peer closes. */
    public byte[] readUntilClose() throws IOException {
        return wire.read("close", () -> wire.in().readAllBytes());
    }

    /** Fails unless the peer closes cleanly without further bytes. */
    public void expectClosed() throws IOException {
        int rest = readUntilClose().length;
        if (rest > 0) {
            throw new AssertionError(rest + " unexpected bytes before the close");
        }
    }

    /** Fails if a byte or an end arrives within {@code time}: only for what cannot be shown otherwise. */
    public void expectSilence(Duration time) throws IOException {
        wire.expectSilence(time);
    }

    /**
     * Reads and discards until the peer ends the connection.
     *
     * @return the kind of the end
     */
    public Ending awaitEnd() throws IOException {
        return wire.awaitEnd();
    }

    /** Ends the connection with a RST. */
    public void reset() throws IOException {
        wire.reset();
    }

    /** Sends a FIN and continues reading. */
    public RawClient halfClose() throws IOException {
        wire.halfClose();
        return this;
    }

    /** The number of bytes that the system has accepted so far; may be read while another thread sends. */
    public long bytesSent() {
        return wire.bytesSent();
    }

    /** The client's own address, as the gateway reports it. */
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) wire.socket().getLocalSocketAddress();
    }

    @Override
    public void close() {
        wire.close();
    }
}
