package dev.lychgate.origin;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http2.HeaderFields;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.http2.Http2Fault;
import dev.lychgate.http2.Http2Stream;
import dev.lychgate.http2.OutgoingFields;
import dev.lychgate.http2.ResponseHeads;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * A request to an HTTP/2 origin and its response, or a WebSocket that is opened by an extended CONNECT (RFC 8441). The
 * stream identifier is assigned when the request head is sent, because identifiers must be used in ascending order.
 */
final class Http2OriginStream implements OriginStream, Silence.Awaiting {
    /** The states of a tunnel: none, requested or open. */
    private enum Tunnelling {
        NONE,
        ASKED,
        OPEN
    }

    private final Http2OriginConnection connection;
    private final Silence silence;
    private Tunnelling tunnelling = Tunnelling.NONE;
    private @Nullable Http2Connect connect;
    private @Nullable Http2OriginTunnel tunnel;
    private @Nullable Wire wire;
    private @Nullable ResponseListener listener;
    private long began;
    private boolean toHead;
    private boolean awaitsContinue;

    Http2OriginStream(Http2OriginConnection connection) {
        this.connection = connection;
        this.silence = new Silence(connection.loop().deadlines(), this);
    }

    // ---- calls of the attempt

    @Override
    public void send(RequestHead head, String path, ResponseListener to, SilenceLimits silenceLimits) {
        listener = to;
        began = connection.loop().deadlines().now();
        toHead = head.method().equals(HttpMethod.HEAD);
        awaitsContinue = head.headers().contains(HttpHeaderNames.EXPECT);
        silence.begin(silenceLimits);
        if (head.protocol() != null) {
            tunnelling = Tunnelling.ASKED;
            connect = new Http2Connect(this, head, path);
            connection.whenSettled(connect);
        } else {
            begin(head, path, head.framing().isEmpty(head.contentLength()));
        }
    }

    /** Starts the stream and sends the request head, unless the exchange has ended. */
    void begin(RequestHead head, String path, boolean end) {
        if (listener != null) {
            Wire opened = new Wire(connection.nextStream());
            wire = opened;
            connection.streams().add(opened);
            opened.send(head, path, end);
        }
    }

    /**
     * Turns the stream into a tunnel, which may outlive its exchange.
     *
     * @param giveBack see {@link Http2OriginTunnel}
     */
    Http2OriginTunnel keep(Runnable giveBack) {
        tunnel = new Http2OriginTunnel(connection.loop(), this, giveBack);
        return tunnel;
    }

    /** Returns whether the stream can neither send nor receive. */
    boolean isOver() {
        return wire == null || wire.isClosed();
    }

    long unsent() {
        return wire == null ? 0 : wire.unsent();
    }

    /** Ends the data to the origin, and discards all data that the origin sends from now on. */
    void sayGoodbye() {
        listener = null;
        silence.remove();
        Wire w = requireWire();
        w.sendEnd(EmptyHttpHeaders.INSTANCE);
        w.resume();
    }

    @Override
    public void sendBody(ByteBuf piece) {
        awaitsContinue = false;
        requireWire().send(piece);
    }

    @Override
    public void sendEnd(HttpHeaders trailers) {
        if (tunnelling == Tunnelling.ASKED) {
            // The end of the request ends the handshake. The output of the tunnel follows.
            return;
        }
        requireWire().sendEnd(trailers);
        silence.heard();
    }

    @Override
    public void flush() {
        // Nothing to do: the connection flushes once per loop iteration, for all streams.
    }

    @Override
    public boolean isWritable() {
        return wire == null || wire.isWritable();
    }

    @Override
    public void pauseReading() {
        requireWire().pauseReading();
    }

    @Override
    public void resumeReading() {
        Wire w = wire;
        if (w != null && w.isPaused()) {
            silence.heard();
            w.resume();
        }
    }

    @Override
    public long connectNanos() {
        return connection.use().connectNanos();
    }

    private Wire requireWire() {
        Wire w = wire;
        if (w == null) {
            throw new IllegalStateException("the stream has not started");
        }
        return w;
    }

    /** Ends the exchange, even if its response is not complete. */
    void leave() {
        listener = null;
        silence.remove();
        if (wire != null) {
            wire.reset(Http2Error.CANCEL);
        }
    }

    // ---- conditions of the response timeouts

    @Override
    public boolean isAwaiting() {
        return listener != null && tunnelling != Tunnelling.OPEN;
    }

    @Override
    public boolean isHeldUpByUs() {
        if (tunnelling == Tunnelling.ASKED) {
            return false;
        }
        Wire w = requireWire();
        boolean requestAwaited = !w.isEnding() && !silence.isHeadSeen() && !awaitsContinue && w.isWritable();
        return w.isPaused() || requestAwaited;
    }

    @Override
    public void onSilent(GatewayError error) {
        connection.suspect(began);
        fail(error);
    }

    /** Closes the stream and reports {@code error} to the listener. */
    void fail(GatewayError error) {
        ResponseListener to = listener;
        leave();
        if (to != null) {
            to.onOriginFailed(error);
        }
    }

    /** The HTTP/2 stream, created when the request head is sent. */
    final class Wire extends Http2Stream {
        private boolean answered;
        /**
         * The head of a response without a body. It is withheld until the stream ends, because data after the head
         * would make the response malformed.
         */
        private @Nullable ResponseHead withheld;

        private Wire(int id) {
            super(connection.streams(), id);
        }

        // ---- output

        private void send(RequestHead head, String path, boolean end) {
            boolean secure = connection.secure;
            OutgoingFields block = connect == null
                    ? RequestFields.of(fields(), head, path, secure)
                    : RequestFields.connect(fields(), head, path, secure);
            send(block, end);
        }

        // ---- input

        @Override
        protected void onHeaders(HeaderFields fields, boolean end) throws Http2Fault {
            if (tunnelling == Tunnelling.OPEN) {
                throw Http2Fault.ofStream(id(), Http2Error.PROTOCOL_ERROR, "header fields after an accepted CONNECT");
            }
            if (answered) {
                endsWith(fields, end);
                return;
            }
            ResponseHead head = ResponseHeads.read(id(), fields, toHead, end);
            if (head.isInformational()) {
                awaitsContinue = awaitsContinue && head.status() != 100;
                if (listener != null) {
                    listener.onInformational(head);
                }
                return;
            }
            answered = true;
            silence.onHead();
            if (connect != null && !settle(head, connect)) {
                return;
            }
            boolean bodyless = head.framing() == BodyFraming.NONE;
            expect(bodyless ? BodyFraming.LENGTH : head.framing(), bodyless ? 0 : head.contentLength());
            if (end) {
                endsWithHead();
            } else if (isBodyComplete()) {
                withheld = head;
                return;
            }
            if (listener != null) {
                listener.onResponseHead(head);
            }
            if (end) {
                ended(EmptyHttpHeaders.INSTANCE);
            }
        }

        /**
         * Handles the response to an extended CONNECT.
         *
         * @return false if the response selects a subprotocol or extension that the request does not offer; the request
         *     has then failed
         */
        private boolean settle(ResponseHead head, Http2Connect asked) {
            if (head.status() >= 300) {
                tunnelling = Tunnelling.NONE;
                sendEnd(EmptyHttpHeaders.INSTANCE);
                return true;
            }
            GatewayError fault = asked.accept(head);
            if (fault != null) {
                fail(fault);
                return false;
            }
            tunnelling = Tunnelling.OPEN;
            // The response timeouts do not apply to a tunnel.
            silence.end();
            return true;
        }

        @Override
        protected void onPart() {
            silence.read();
        }

        @Override
        protected void onData(ByteBuf piece) {
            silence.read();
            ResponseListener to = listener;
            if (to == null || withheld != null) {
                piece.release();
            } else {
                to.onResponseBody(piece);
            }
        }

        @Override
        protected void onEnd(HttpHeaders trailers) {
            ResponseHead head = withheld;
            withheld = null;
            if (head != null && listener != null) {
                listener.onResponseHead(head);
            }
            if (listener != null) {
                listener.onResponseEnd(trailers);
            }
        }

        @Override
        protected boolean isStopOnly(Http2Error error) {
            // If the response is complete, the reset means that the origin does not need the rest of the request (RFC
            // 9113, 8.1).
            return error == Http2Error.NO_ERROR && isReceived();
        }

        @Override
        protected void onBroken(Http2Error error, boolean byPeer) {
            fail(StreamFaults.of(error, byPeer, answered));
        }

        @Override
        protected void onReadComplete() {
            if (listener != null) {
                listener.onOriginReadComplete();
            }
        }

        @Override
        protected void onTooMuchHeld() {
            fail(GatewayError.local(ErrorKind.OVERLOADED, "too many response bytes are buffered for clients"));
        }

        @Override
        public void onWritable() {
            silence.heard();
            if (listener != null) {
                listener.onOriginWritable();
            }
        }

        @Override
        protected void onSent() {
            // The request has been sent, so the response timeout starts now.
            silence.heard();
        }

        @Override
        protected void onClosed() {
            if (listener != null && tunnelling == Tunnelling.OPEN && isReceived()) {
                // A reset after END_STREAM means that the origin accepts no more input.
                listener.onResponseEnd(EmptyHttpHeaders.INSTANCE);
            }
            if (tunnel != null) {
                tunnel.onStreamClosed();
            }
        }
    }
}
