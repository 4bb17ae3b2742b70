package dev.lychgate.origin;

import dev.lychgate.codec.WebSocketTerms;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http.WebSocket;
import dev.lychgate.http2.HeaderFields;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.http2.Http2Fault;
import dev.lychgate.http2.Http2Stream;
import dev.lychgate.http2.MessageLength;
import dev.lychgate.http2.ResponseHeads;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * One request to an origin that speaks HTTP/2, and its answer; or a WebSocket, asked for by an extended CONNECT (RFC 8441). A
 * stream begins with the head, not before: only then is its number due.
 */
final class Http2OriginStream implements OriginStream, Silence.Awaiting {
    /** What a granted CONNECT is to everybody behind the connection, whichever 2xx says so. */
    private static final int OPENED = 101;

    /** Whether the stream carries messages, or bytes of another protocol. */
    private enum Tunnelling {
        NONE,
        ASKED,
        OPEN
    }

    private final Http2OriginConnection connection;
    private final Silence silence;
    private Tunnelling tunnelling = Tunnelling.NONE;
    private @Nullable WebSocketTerms terms;
    private @Nullable Http2OriginTunnel tunnel;
    private @Nullable Wire wire;
    private @Nullable ResponseListener listener;
    private long began;
    private boolean toHead;
    private boolean awaitsContinue;
    private boolean readingPaused;

    Http2OriginStream(Http2OriginConnection connection) {
        this.connection = connection;
        this.silence = new Silence(connection.loop().deadlines(), this);
    }

    // ---- what the attempt asks

    @Override
    public void send(RequestHead head, String path, ResponseListener to, SilenceLimits silenceLimits) {
        listener = to;
        began = connection.loop().deadlines().now();
        toHead = head.method().equals(HttpMethod.HEAD);
        awaitsContinue = head.headers().contains(HttpHeaderNames.EXPECT);
        silence.begin(silenceLimits);
        if (head.protocol() != null) {
            tunnelling = Tunnelling.ASKED;
            head.headers().set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, WebSocket.VERSION);
            terms = new WebSocketTerms(head.headers());
            connection.whenSettled(new Connect(head, path));
            return;
        }
        boolean bodyless = head.framing() == BodyFraming.NONE
                || (head.framing() == BodyFraming.LENGTH && head.contentLength() == 0);
        open().send(head, path, bodyless);
    }

    private Wire open() {
        Wire opened = new Wire(connection.nextStream());
        wire = opened;
        connection.streams().add(opened);
        return opened;
    }

    /** A CONNECT that waits for the origin's settings: they say whether it may be sent (RFC 8441, 3). */
    private final class Connect implements Http2OriginConnection.Settled {
        private final RequestHead head;
        private final String path;

        Connect(RequestHead head, String path) {
            this.head = head;
            this.path = path;
        }

        @Override
        public void onSettled(boolean connects) {
            if (listener == null) {
                return;
            }
            if (connects) {
                open().connect(head, path);
            } else {
                fail(GatewayError.local(
                        ErrorKind.NOT_IMPLEMENTED, "the origin speaks HTTP/2, and takes no WebSockets over it"));
            }
        }

        @Override
        public void onLost() {
            fail(GatewayError.upstream(
                    ErrorKind.ORIGIN_RESET, Retry.UNPROCESSED, "the origin takes nothing more on this connection"));
        }
    }

    /** It has become a tunnel, which outlives its exchange by a moment. @param giveBack as {@link Http2OriginTunnel} has it */
    Http2OriginTunnel keep(Runnable giveBack) {
        Http2OriginTunnel kept = new Http2OriginTunnel(connection.loop(), this, giveBack);
        tunnel = kept;
        return kept;
    }

    /** Whether nothing can be sent or heard any more. */
    boolean isOver() {
        return wire == null || wire.isClosed();
    }

    long unsent() {
        return wire == null ? 0 : wire.unsent();
    }

    /** The end of what is said, with nobody listening any more to what comes. */
    void sayGoodbye() {
        listener = null;
        silence.remove();
        Wire w = requireWire();
        w.end(EmptyHttpHeaders.INSTANCE);
        w.resume();
    }

    @Override
    public void sendBody(ByteBuf piece) {
        awaitsContinue = false;
        requireWire().body(piece);
    }

    @Override
    public void sendEnd(HttpHeaders trailers) {
        if (tunnelling == Tunnelling.ASKED) {
            // The end of the handshake, and not of what comes behind it.
            return;
        }
        requireWire().end(trailers);
        silence.heard();
    }

    @Override
    public void flush() {
        // The connection does, once for all that are written to in one turn of the loop.
    }

    @Override
    public boolean isWritable() {
        return wire == null || wire.mayWrite();
    }

    @Override
    public void pauseReading() {
        readingPaused = true;
        requireWire().pause();
    }

    @Override
    public void resumeReading() {
        if (readingPaused) {
            readingPaused = false;
            silence.heard();
            requireWire().resume();
        }
    }

    @Override
    public long connectNanos() {
        return connection.use().connectNanos();
    }

    private Wire requireWire() {
        Wire w = wire;
        if (w == null) {
            throw new IllegalStateException("a stream that has not begun");
        }
        return w;
    }

    /** The exchange is over, whether or not its answer is. */
    void leave() {
        listener = null;
        silence.remove();
        Wire w = wire;
        if (w != null) {
            w.leave();
        }
    }

    // ---- what the silence asks

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
        boolean requestAwaited = !w.isRequestSent() && !silence.isHeadSeen() && !awaitsContinue && w.mayWrite();
        return readingPaused || requestAwaited;
    }

    @Override
    public void onSilent(GatewayError error) {
        connection.suspect(began);
        fail(error);
    }

    private void fail(GatewayError error) {
        ResponseListener to = listener;
        listener = null;
        silence.remove();
        Wire w = wire;
        if (w != null) {
            w.leave();
        }
        if (to != null) {
            to.onOriginFailed(error);
        }
    }

    /** The stream itself, from its head on. */
    final class Wire extends Http2Stream {
        private final MessageLength length = new MessageLength();
        private boolean answered;
        /** A head without a body whose stream has not ended: data behind it would make the response malformed. */
        private @Nullable ResponseHead withheld;

        private boolean requestEnded;

        private Wire(int id) {
            super(connection.streams(), id);
        }

        // ---- what goes

        private void connect(RequestHead head, String path) {
            send(RequestFields.connect(fields(), head, path, connection.isSecure()), false);
        }

        private void send(RequestHead head, String path, boolean end) {
            requestEnded = end;
            send(RequestFields.of(fields(), head, path, connection.isSecure()), end);
        }

        private void body(ByteBuf piece) {
            if (requestEnded) {
                piece.release();
            } else {
                send(piece);
            }
        }

        private void end(HttpHeaders trailers) {
            if (!requestEnded) {
                requestEnded = true;
                sendEnd(trailers);
            }
        }

        private boolean isRequestSent() {
            return requestEnded;
        }

        /** Nobody listens any more. */
        private void leave() {
            if (!isClosed()) {
                reset(Http2Error.CANCEL);
            }
        }

        // ---- what comes

        @Override
        protected void onHeaders(HeaderFields fields, boolean end) throws Http2Fault {
            if (tunnelling == Tunnelling.OPEN) {
                throw Http2Fault.ofStream(id(), Http2Error.PROTOCOL_ERROR, "fields behind a CONNECT that was granted");
            }
            if (answered) {
                HttpHeaders trailers = trailers(fields, end);
                length.end(id());
                ended(trailers);
                return;
            }
            ResponseHead head = ResponseHeads.read(id(), fields, toHead, end);
            ResponseListener to = listener;
            if (head.isInformational()) {
                awaitsContinue = awaitsContinue && head.status() != 100;
                if (to != null) {
                    to.onInformational(head);
                }
                return;
            }
            answered = true;
            silence.onHead();
            if (tunnelling == Tunnelling.ASKED && !settle(head)) {
                return;
            }
            if (head.framing() == BodyFraming.NONE) {
                length.expect(BodyFraming.LENGTH, 0);
            } else {
                length.expect(head.framing(), head.contentLength());
            }
            if (end) {
                endsWithHead();
            } else if (length.isComplete()) {
                withheld = head;
                return;
            }
            if (to != null) {
                to.onResponseHead(head);
            }
            if (end) {
                ended(EmptyHttpHeaders.INSTANCE);
            }
        }

        /** The answer to a CONNECT. @return false if it grants what was not asked for, and nobody listens any more */
        private boolean settle(ResponseHead head) {
            if (head.status() >= 300) {
                tunnelling = Tunnelling.NONE;
                end(EmptyHttpHeaders.INSTANCE);
                return true;
            }
            WebSocketTerms asked = terms;
            String fault = asked == null ? null : asked.fault(head.headers());
            if (fault != null) {
                fail(GatewayError.upstream(ErrorKind.MALFORMED_RESPONSE, Retry.NEVER, fault));
                return false;
            }
            tunnelling = Tunnelling.OPEN;
            // Its end has other limits than an answer's.
            silence.end();
            head.headers().remove(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT);
            head.status(OPENED);
            head.frame(BodyFraming.TUNNEL, 0);
            return true;
        }

        @Override
        protected void onLength(int bytes, boolean end) throws Http2Fault {
            if (!answered) {
                throw Http2Fault.ofStream(id(), Http2Error.PROTOCOL_ERROR, "a body without a head");
            }
            length.add(id(), bytes, end);
            silence.read();
        }

        @Override
        protected boolean isBodyComplete() {
            return length.isComplete();
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
            ResponseListener to = listener;
            if (to != null) {
                to.onResponseEnd(trailers);
            }
        }

        @Override
        protected boolean isStopOnly(Http2Error error) {
            // The answer is whole, and the origin does not want the rest of the request (RFC 9113, 8.1).
            return error == Http2Error.NO_ERROR && isReceived();
        }

        @Override
        protected void onBroken(Http2Error error, boolean byPeer) {
            ResponseListener to = listener;
            listener = null;
            silence.remove();
            if (to != null) {
                to.onOriginFailed(StreamFaults.of(error, byPeer, answered));
            }
        }

        @Override
        protected void onReadComplete() {
            ResponseListener to = listener;
            if (to != null) {
                to.onOriginReadComplete();
            }
        }

        @Override
        protected void onTooMuchHeld() {
            fail(GatewayError.local(ErrorKind.OVERLOADED, "too much of answers waits for their clients"));
        }

        @Override
        public void onWritable() {
            silence.heard();
            ResponseListener to = listener;
            if (to != null) {
                to.onOriginWritable();
            }
        }

        @Override
        protected void onSent() {
            // The answer is awaited now.
            silence.heard();
        }

        @Override
        protected void onClosed() {
            ResponseListener to = listener;
            if (to != null && tunnelling == Tunnelling.OPEN && isReceived()) {
                // A reset behind its last word: nothing more is wanted.
                to.onResponseEnd(EmptyHttpHeaders.INSTANCE);
            }
            Http2OriginTunnel kept = tunnel;
            if (kept != null) {
                kept.onStreamClosed();
            }
        }
    }
}
