package dev.lychgate.testing;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The origin's side of one connection, for the one thread that plays its script. Text is bytes: one char, one byte.
 *
 * <p>Every call ends within the time limit (30 s unless {@link #within} sets another) or fails with an {@link AssertionError}.
 * The gateway's output is read strictly: malformed framing fails the test.
 */
public final class ScriptedConnection {
    private final int number;
    private final Wire wire;
    private final MessageReader reader;
    private final Consumer<RawMessage> onRequest;
    private final Socket transport;

    /** @param transport what the wire runs over, or is: TLS runs over another socket */
    ScriptedConnection(int number, Wire wire, Socket transport, Consumer<RawMessage> onRequest) {
        this.transport = transport;
        this.number = number;
        this.wire = wire;
        this.reader = new MessageReader(wire.in());
        this.onRequest = onRequest;
    }

    /** The connection's number: the first one accepted is 1. */
    public int number() {
        return number;
    }

    /** Sets the time limit of every following call. */
    public ScriptedConnection within(Duration limit) {
        wire.limit(limit);
        return this;
    }

    /** Reads a whole request. */
    public RawMessage readRequest() throws IOException {
        return nextRequest().orElseThrow(this::ended);
    }

    /** Reads a request's head and leaves its body on the wire. */
    public RawMessage readHead() throws IOException {
        RawMessage head = wire.read("request head", reader::requestHead).orElseThrow(this::ended);
        onRequest.accept(head);
        return head;
    }

    /** Reads the body that belongs to a head {@link #readHead} returned. */
    public RawMessage readBody(RawMessage head) throws IOException {
        return wire.read("whole request body", () -> reader.requestBody(head));
    }

    /** Reads exactly {@code count} bytes. */
    public byte[] readBytes(int count) throws IOException {
        return wire.read(count + " bytes", () -> reader.bytes(count));
    }

    /** Sends text, one byte per char. */
    public ScriptedConnection send(String text) throws IOException {
        wire.send(Wire.bytes(text));
        return this;
    }

    /** Sends bytes. */
    public ScriptedConnection send(byte[] bytes) throws IOException {
        wire.send(bytes);
        return this;
    }

    /** Sends text in chunks of about the same size, with a pause before each but the first. */
    public ScriptedConnection sendSlowly(String text, int pieces, Duration pause) throws IOException {
        wire.sendSlowly(Wire.bytes(text), pieces, pause);
        return this;
    }

    /** Responds to every request with the text of {@code response}, until either side closes the connection. */
    public void answerEvery(Function<RawMessage, String> response) throws Exception {
        answerEvery((request, connection) -> connection.send(response.apply(request)));
    }

    /** Runs {@code script} for every request, until either side ends the connection or the peer sends close. */
    public void answerEvery(RequestScript script) throws Exception {
        boolean goesOn = true;
        while (goesOn && !wire.isClosed()) {
            if (endsBetweenRequests()) {
                return;
            }
            RawMessage request = readRequest();
            script.respond(request, this);
            goesOn = !request.values("connection").contains("close");
        }
    }

    /** Neither reads nor writes until the test opens the gate; fails after 30 seconds. */
    public ScriptedConnection stallUntil(Gate gate) throws InterruptedException {
        gate.await();
        return this;
    }

    /** Neither reads nor writes until the origin is closed. */
    public void stall() throws InterruptedException {
        new CountDownLatch(1).await(); // ends by the interrupt that ScriptedOrigin.close() sends
    }

    /**
     * Reads and discards until the gateway ends the connection.
     *
     * @return the kind of the end
     */
    public Ending awaitEnd() throws IOException {
        return wire.awaitEnd();
    }

    /** Fails unless the gateway closes cleanly without further bytes. */
    public void expectClosed() throws IOException {
        int rest = wire.read("close", () -> wire.in().readAllBytes()).length;
        if (rest > 0) {
            throw new AssertionError(rest + " unexpected bytes before the close");
        }
    }

    /** Fails if a byte or an end arrives within {@code time}: only for what cannot be shown otherwise. */
    public void expectSilence(Duration time) throws IOException {
        wire.expectSilence(time);
    }

    /** Ends the connection under TLS, without a TLS alert. */
    public void tear() throws IOException {
        transport.shutdownOutput();
        transport.close();
    }

    /** Ends the connection with a RST. */
    public void reset() throws IOException {
        wire.reset();
    }

    /** Sends a FIN and continues reading. */
    public ScriptedConnection halfClose() throws IOException {
        wire.halfClose();
        return this;
    }

    /** Closes both ways; the end of the script does the same. */
    public void close() {
        wire.close();
    }

    /** The number of bytes that the system has accepted so far; may be read by any thread. */
    public long bytesSent() {
        return wire.bytesSent();
    }

    /** The gateway's address on this connection. */
    public InetSocketAddress remoteAddress() {
        return (InetSocketAddress) wire.socket().getRemoteSocketAddress();
    }

    private Optional<RawMessage> nextRequest() throws IOException {
        return wire.read("whole request", () -> {
            Optional<RawMessage> head = reader.requestHead();
            if (head.isEmpty()) {
                return head;
            }
            RawMessage request = reader.requestBody(head.get());
            onRequest.accept(request);
            return Optional.of(request);
        });
    }

    /** Between two requests a pooled connection may idle for long and end either way; within one it may not. */
    private boolean endsBetweenRequests() throws IOException {
        wire.in().mark(1);
        try {
            if (wire.readPatiently("request", () -> wire.in().read()) < 0) {
                return true;
            }
        } catch (SocketException e) {
            return true;
        }
        wire.in().reset();
        return false;
    }

    private EOFException ended() {
        return new EOFException("connection " + number + " closed where a request would begin");
    }
}
