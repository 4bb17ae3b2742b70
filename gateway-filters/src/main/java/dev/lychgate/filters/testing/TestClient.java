package dev.lychgate.filters.testing;

import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ClientRecords;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http.Via;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The simulated client of a test. Sends the request body chunk by chunk while the gateway reads, and keeps the
 * response.
 */
final class TestClient implements Downstream {
    private final InetAddress address;
    private final String listener;
    private final boolean secure;
    private final List<byte[]> body;
    private final List<ByteBuf> sent = new ArrayList<>();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private @Nullable ResponseHead head;
    private Fields fields = Fields.NONE;
    private boolean reading = true;
    private boolean requestEnded;
    private boolean over;
    private boolean aborted;

    TestClient(InetAddress address, List<byte[]> body) {
        this(address, body, "test", false);
    }

    /**
     * Creates a client that has not sent any chunk.
     *
     * @param secure whether the client uses TLS
     */
    TestClient(InetAddress address, List<byte[]> body, String listener, boolean secure) {
        this.listener = listener;
        this.secure = secure;
        this.address = address;
        this.body = body;
        this.requestEnded = body.isEmpty();
    }

    /**
     * Sends the next chunk of the request body, or the end of the request, if the gateway reads.
     *
     * @return true if a chunk or the end was sent
     */
    boolean step(Exchange exchange) {
        if (!reading || over || requestEnded) {
            return false;
        }
        if (sent.size() < body.size()) {
            // The buffers are pooled and direct, like buffers from a socket, so that leaks are detected.
            ByteBuf piece = allocator().directBuffer().writeBytes(body.get(sent.size()));
            sent.add(piece);
            exchange.onRequestBody(piece);
        } else {
            requestEnded = true;
            exchange.onRequestEnd(EmptyHttpHeaders.INSTANCE);
        }
        exchange.onDownstreamReadComplete();
        return true;
    }

    /**
     * Checks that the gateway has released the request body.
     *
     * @throws AssertionError if a chunk of the request body was not released
     */
    void requireReleased() {
        if (sent.stream().anyMatch(piece -> piece.refCnt() > 0)) {
            throw new AssertionError("a chunk of the request body was not released");
        }
    }

    boolean isOver() {
        return over;
    }

    boolean isAborted() {
        return aborted;
    }

    @Nullable
    ResponseHead head() {
        return head;
    }

    Fields fields() {
        return fields;
    }

    byte[] received() {
        return received.toByteArray();
    }

    void leave() {
        over = true;
        aborted = true;
    }

    // ---- events of the exchange

    @Override
    public InetSocketAddress peer() {
        return new InetSocketAddress(address, 0);
    }

    @Override
    public ForwardingHeaders forwarding() {
        return new ForwardingHeaders(
                peer(), secure ? 443 : 80, null, ClientRecords.NONE_NAMED, false, new Via("lychgate-test"), secure);
    }

    @Override
    public String listener() {
        return listener;
    }

    @Override
    public ByteBufAllocator allocator() {
        return PooledByteBufAllocator.DEFAULT;
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public void pauseReading() {
        reading = false;
    }

    @Override
    public void resumeReading() {
        reading = true;
    }

    @Override
    public void writeInformational(ResponseHead interim) {}

    @Override
    public void writeHead(ResponseHead answer) {
        head = answer;
        HttpHeaders framed = answer.headers().copy();
        // Adds the header fields of the framing. The head lacks them, because the code that writes a response to a
        // socket adds them.
        if (answer.framing() == BodyFraming.LENGTH) {
            framed.set(HttpHeaderNames.CONTENT_LENGTH, answer.contentLength());
        } else if (answer.framing() == BodyFraming.CHUNKED) {
            framed.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        fields = new Fields(framed);
    }

    @Override
    public void writeBody(ByteBuf piece) {
        byte[] bytes = new byte[piece.readableBytes()];
        piece.readBytes(bytes);
        piece.release();
        received.writeBytes(bytes);
    }

    @Override
    public void writeEnd(HttpHeaders trailers) {}

    @Override
    public void flush() {}

    @Override
    public void onExchangeEnd(boolean requestDone) {
        over = true;
    }

    @Override
    public void abort() {
        over = true;
        aborted = true;
    }
}
