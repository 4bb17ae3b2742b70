package dev.lychgate.listener;

import dev.lychgate.client.ClientPermit;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.Grpc;
import dev.lychgate.http.HopByHopHeaders;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http2.HeaderFields;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.http2.Http2Fault;
import dev.lychgate.http2.Http2Stream;
import dev.lychgate.http2.OutgoingFields;
import dev.lychgate.http2.ReceivedRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** One HTTP/2 request and its response, or a WebSocket that is opened by an extended CONNECT (RFC 8441). */
final class ServerStream extends Http2Stream implements ClientDownstream {
    /** State of the tunnel. */
    private enum Tunnelling {
        NONE,
        /** The client has requested a tunnel. Data that it sends before the tunnel opens is buffered. */
        ASKED,
        OPEN
    }

    private static final int OPENED = 200;
    private static final int UPGRADE_REQUIRED = 426;

    private final Http2ServerConnection connection;
    private final ListenerContext listener;
    private final ClientPermit permit;
    private @Nullable Exchange exchange;
    /**
     * True for a request with {@code content-length: 0} whose stream has not ended. Its exchange begins when the stream
     * ends, because data on the stream would make the request malformed (RFC 9113, 8.1.1).
     */
    private boolean withheld;
    /** True for a malformed request: its response ends with a stream error. */
    private boolean malformed;
    /** True while the client waits for a 100 before it sends its body. */
    private boolean expectsContinue;
    /** True if the response has no body. */
    private boolean bodyless;

    private Tunnelling tunnelling = Tunnelling.NONE;

    private long lastRead;
    private long readingSince;

    /**
     * Creates a stream.
     *
     * @param permit the permit of the client for this stream
     */
    ServerStream(Http2ServerConnection connection, int id, ClientPermit permit) {
        super(connection.streams(), id);
        this.permit = permit;
        this.connection = connection;
        this.listener = connection.client.listener();
    }

    void begin(ReceivedRequest request, boolean end) {
        if (end) {
            endsWithHead();
        }
        bodyRead();
        Exchange next = new Exchange(connection.worker, this);
        exchange = next;
        malformed = request.malformed();
        RequestHead head = request.head();
        GatewayError fault = request.refusal();
        if (head == null || head.protocol() != null) {
            expect(BodyFraming.NONE, 0);
        } else {
            expect(head.framing(), head.contentLength());
        }
        if (head != null && head.protocol() != null) {
            tunnelling = Tunnelling.ASKED;
            pauseReading();
        }
        if (head != null && fault == null) {
            fault = listener.check(head);
        }
        if (head != null && fault == null) {
            fault = next.keep(head);
        }
        if (fault != null) {
            next.refuse(head, fault);
        } else if (head != null) {
            withheld = !end && isBodyComplete();
            expectsContinue = !withheld && head.headers().contains(HttpHeaderNames.EXPECT);
            next.accept(head);
            if (!withheld) {
                next.begin();
            }
        }
        if (end) {
            ended(EmptyHttpHeaders.INSTANCE);
        }
    }

    // ---- input

    @Override
    protected void onHeaders(HeaderFields fields, boolean end) throws Http2Fault {
        if (tunnelling != Tunnelling.NONE) {
            throw Http2Fault.ofStream(id(), Http2Error.PROTOCOL_ERROR, "header fields arrived after a CONNECT");
        }
        endsWith(fields, end);
    }

    @Override
    protected void onPart() {
        expectsContinue = false;
        bodyRead();
    }

    private void bodyRead() {
        lastRead = connection.loop().deadlines().now();
    }

    @Override
    protected void onData(ByteBuf piece) {
        Exchange current = exchange;
        if (current == null || withheld) {
            piece.release();
        } else if (tunnelling == Tunnelling.NONE && listener.admission.isTooLong(received())) {
            piece.release();
            current.onRequestBroken(listener.admission.bodyTooLarge());
        } else {
            current.onRequestBody(piece);
        }
    }

    @Override
    protected void onEnd(HttpHeaders trailers) {
        Exchange current = exchange;
        if (withheld && current != null) {
            withheld = false;
            current.begin();
            current = exchange;
        }
        if (current != null) {
            current.onRequestEnd(trailers);
        }
    }

    @Override
    protected void onReadComplete() {
        if (exchange != null) {
            exchange.onDownstreamReadComplete();
        }
    }

    @Override
    protected void onTooMuchHeld() {
        cut(GatewayError.local(
                ErrorKind.OVERLOADED, "the memory budget for request bodies that wait for origins is exhausted"));
    }

    @Override
    public void onWritable() {
        if (exchange != null) {
            exchange.onDownstreamWritable();
        }
    }

    @Override
    protected void onClosed() {
        permit.end();
    }

    @Override
    protected void onBroken(Http2Error error, boolean byPeer) {
        if (byPeer) {
            lose(ErrorKind.CLIENT_GONE, "the client reset the stream", true);
        } else if (error == Http2Error.NO_ERROR) {
            lose(ErrorKind.CLIENT_GONE, "the client closed the connection", false);
        } else {
            lose(ErrorKind.MALFORMED_REQUEST, "the client violated the HTTP/2 protocol", false);
        }
    }

    private void lose(ErrorKind kind, String detail, boolean byReset) {
        GatewayError error = GatewayError.downstream(kind, detail);
        Exchange current = exchange;
        exchange = null;
        if (current != null && byReset) {
            current.onDownstreamReset(error);
        } else if (current != null) {
            current.onDownstreamClosed(error);
        }
    }

    // ---- timeouts

    /** Detects a client that stalls within its request body or does not read its response. */
    void look(long now, long bodyLimit, long writeLimit) {
        Exchange current = exchange;
        if (current != null && bodySilence() >= bodyLimit) {
            current.onRequestBroken(
                    GatewayError.downstream(ErrorKind.REQUEST_TIMEOUT, "the client stopped sending its request body"));
        } else if (isStalled(now, writeLimit)) {
            onWriteStalled();
            reset(Http2Error.CANCEL);
        }
    }

    @Override
    public long bodySilence() {
        // In a tunnel, no body is awaited, because a tunnel may be idle for as long as its route allows.
        boolean awaited = tunnelling == Tunnelling.NONE && !isReceived() && !isPaused() && !expectsContinue;
        return awaited ? connection.loop().deadlines().now() - Math.max(lastRead, readingSince) : 0;
    }

    void onWriteStalled() {
        lose(ErrorKind.CLIENT_STALLED, "the client stopped reading its response", false);
    }

    void drain() {
        if (exchange != null) {
            exchange.drain();
        }
    }

    void cut(GatewayError error) {
        if (exchange != null) {
            exchange.cut(error);
        }
    }

    // ---- calls of the exchange

    @Override
    public ClientContext client() {
        return connection.client;
    }

    @Override
    public void closeAfterResponse() {
        connection.drain();
    }

    @Override
    public ByteBufAllocator allocator() {
        return connection.channel().alloc();
    }

    @Override
    public boolean endsByHalves() {
        return true;
    }

    @Override
    public void resumeReading() {
        if (isPaused() && tunnelling != Tunnelling.ASKED) {
            readingSince = connection.loop().deadlines().now();
            resume();
        }
    }

    @Override
    public void writeInformational(ResponseHead head) {
        if (head.status() == 100) {
            expectsContinue = false;
        }
        bodyRead();
        send(fields(head), false);
    }

    @Override
    public void writeHead(ResponseHead head) {
        if (head.isTunnel()) {
            tunnelling = Tunnelling.OPEN;
        }
        OutgoingFields fields = fields(head);
        // A head that contains a gRPC status also serves as trailers and declares no body.
        if (head.framing() == BodyFraming.LENGTH && !head.headers().contains(Grpc.STATUS)) {
            fields.field(HttpHeaderNames.CONTENT_LENGTH, Long.toString(head.contentLength()));
        }
        if (!head.headers().contains(HttpHeaderNames.DATE)) {
            fields.field(
                    HttpHeaderNames.DATE,
                    HttpDate.at(connection.loop().deadlines().now()));
        }
        bodyless = head.framing().isEmpty(head.contentLength());
        send(fields, bodyless && !malformed);
    }

    private OutgoingFields fields(ResponseHead head) {
        if (head.isTunnel()) {
            // This status corresponds to 101 in HTTP/1.1 (RFC 8441, 5).
            return fields().status(OPENED).fields(head.headers());
        }
        if (head.status() == UPGRADE_REQUIRED) {
            // The upgrade headers are specific to HTTP/1.1 connections.
            HopByHopHeaders.strip(head.headers());
        }
        return fields().status(head.status()).fields(head.headers());
    }

    @Override
    public void writeBody(ByteBuf piece) {
        if (bodyless) {
            piece.release();
        } else {
            send(piece);
        }
    }

    @Override
    public void writeEnd(HttpHeaders trailers) {
        if (malformed) {
            sendBroken(Http2Error.PROTOCOL_ERROR);
        } else if (!bodyless) {
            sendEnd(trailers);
        }
    }

    @Override
    public void flush() {
        // Nothing to do: the connection flushes once per loop iteration, for all streams.
    }

    @Override
    public void onExchangeEnd(boolean requestDone) {
        exchange = null;
        if (tunnelling == Tunnelling.OPEN) {
            sendEnd(EmptyHttpHeaders.INSTANCE);
        }
        if (isPaused()) {
            resume();
        }
        onSent();
    }

    /** Asks the client to stop sending, because the response is complete (RFC 9113, 8.1). */
    @Override
    protected void onSent() {
        if (exchange == null && !isSending() && isAnswered() && !isReceived()) {
            reset(Http2Error.NO_ERROR);
        }
    }

    @Override
    public void abort() {
        Exchange current = exchange;
        GatewayError why = current == null ? null : current.record().error();
        exchange = null;
        if (why != null && why.kind() == ErrorKind.CLIENT_STALLED) {
            reset(Http2Error.CANCEL);
            connection.stalled(id(), why.detail());
        } else {
            // CANCEL corresponds to a TCP reset of a tunnel (RFC 8441, 5).
            reset(tunnelling == Tunnelling.OPEN ? Http2Error.CANCEL : Http2Error.INTERNAL_ERROR);
        }
    }
}
