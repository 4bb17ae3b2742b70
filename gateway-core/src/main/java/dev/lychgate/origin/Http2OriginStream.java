package dev.lychgate.origin;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.Grpc;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http2.HeaderFields;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.http2.Http2Fault;
import dev.lychgate.http2.Http2Stream;
import dev.lychgate.http2.MessageLength;
import dev.lychgate.http2.OutgoingFields;
import dev.lychgate.http2.ResponseHeads;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * One request to an origin that speaks HTTP/2, and its answer. A stream begins with the head, not before: only then is its
 * number due.
 */
final class Http2OriginStream implements OriginStream, Silence.Awaiting {
    private static final AsciiString HTTP = AsciiString.cached("http");
    private static final AsciiString HTTPS = AsciiString.cached("https");

    private final Http2OriginConnection connection;
    private final Silence silence;
    private @Nullable Wire wire;
    private @Nullable ResponseListener listener;
    private long began;
    private boolean toHead;
    private boolean awaitsContinue;
    private boolean readingPaused;

    Http2OriginStream(Http2OriginConnection connection) {
        this.connection = connection;
        this.silence = new Silence(connection.ofLoop().deadlines(), this);
    }

    // ---- what the attempt asks

    @Override
    public void send(RequestHead head, String path, ResponseListener to, SilenceLimits silenceLimits) {
        listener = to;
        began = connection.ofLoop().deadlines().now();
        toHead = head.method().equals(HttpMethod.HEAD);
        awaitsContinue = head.headers().contains(HttpHeaderNames.EXPECT);
        if (head.protocol() != null) {
            connection
                    .ofLoop()
                    .eventLoop()
                    .execute(() -> fail(GatewayError.local(
                            ErrorKind.NOT_IMPLEMENTED, "WebSockets are not carried to origins that speak HTTP/2")));
            return;
        }
        Wire opened = new Wire(connection.openStream());
        wire = opened;
        connection.put(opened);
        boolean bodyless = head.framing() == BodyFraming.NONE
                || (head.framing() == BodyFraming.LENGTH && head.contentLength() == 0);
        opened.send(head, path, bodyless);
        silence.begin(silenceLimits);
    }

    @Override
    public void sendBody(ByteBuf piece) {
        awaitsContinue = false;
        requireWire().body(piece);
    }

    @Override
    public void sendEnd(HttpHeaders trailers) {
        requireWire().end(trailers);
        silence.heard();
    }

    @Override
    public void flush() {
        // The connection does, once for all that are written to in one turn of the loop.
    }

    @Override
    public boolean isWritable() {
        return requireWire().isWritable();
    }

    @Override
    public void pauseReading() {
        readingPaused = true;
        requireWire().stop();
    }

    @Override
    public void resumeReading() {
        if (readingPaused) {
            readingPaused = false;
            silence.heard();
            requireWire().go();
        }
    }

    @Override
    public long connectNanos() {
        return connection.connectNanos();
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
        return listener != null;
    }

    @Override
    public boolean isHeldUpByUs() {
        Wire w = requireWire();
        boolean requestAwaited = !w.isRequestSent() && !silence.isHeadSeen() && !awaitsContinue && w.isWritable();
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
        private boolean bodyless;
        private boolean requestEnded;

        private Wire(int id) {
            super(connection, id);
        }

        // ---- what goes

        private void send(RequestHead head, String path, boolean end) {
            OutgoingFields fields = fields();
            String query = head.query();
            fields.field(":method", head.method().asciiName());
            fields.field(":scheme", connection.isSecure() ? HTTPS : HTTP);
            fields.field(":authority", String.valueOf(head.headers().get(HttpHeaderNames.HOST)));
            fields.field(":path", query == null ? path : path + '?' + query);
            fields.fields(head.headers(), HttpHeaderNames.HOST);
            if (head.framing() == BodyFraming.LENGTH) {
                fields.field(HttpHeaderNames.CONTENT_LENGTH, Long.toString(head.contentLength()));
            }
            if (Grpc.is(head.headers().get(HttpHeaderNames.CONTENT_TYPE))) {
                // Its status comes as a trailer, and its servers ask whether that will arrive.
                fields.field(HttpHeaderNames.TE, HttpHeaderValues.TRAILERS);
            }
            requestEnded = end;
            send(fields, end);
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

        private boolean isWritable() {
            return mayWrite();
        }

        private boolean isRequestSent() {
            return requestEnded;
        }

        private void stop() {
            pause();
        }

        private void go() {
            resume();
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
            bodyless = head.framing() == BodyFraming.NONE;
            if (bodyless) {
                length.expect(BodyFraming.LENGTH, 0);
            } else {
                length.expect(head.framing(), head.contentLength());
            }
            if (end) {
                endsWithHead();
            }
            if (to != null) {
                to.onResponseHead(head);
            }
            if (end) {
                ended(EmptyHttpHeaders.INSTANCE);
            }
        }

        @Override
        protected void onLength(int bytes, boolean end) throws Http2Fault {
            if (!answered) {
                throw Http2Fault.ofStream(id(), Http2Error.PROTOCOL_ERROR, "a body without a head");
            }
            length.add(id(), bytes, end);
        }

        @Override
        protected void onPart() {
            silence.read();
        }

        @Override
        protected void onData(ByteBuf piece) {
            silence.read();
            ResponseListener to = listener;
            if (to == null) {
                piece.release();
            } else {
                to.onResponseBody(piece);
            }
        }

        @Override
        protected void onEnd(HttpHeaders trailers) {
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
                to.onOriginFailed(why(error, byPeer));
            }
        }

        private GatewayError why(Http2Error error, boolean byPeer) {
            if (error == Http2Error.REFUSED_STREAM && byPeer) {
                return GatewayError.upstream(
                        ErrorKind.ORIGIN_RESET, Retry.UNPROCESSED, "the origin refused the stream");
            }
            if (byPeer) {
                return GatewayError.upstream(
                        ErrorKind.ORIGIN_RESET, Retry.NEVER, "the origin reset the stream: " + error.label());
            }
            if (error != Http2Error.NO_ERROR) {
                return GatewayError.upstream(
                        ErrorKind.MALFORMED_RESPONSE, Retry.NEVER, "the origin broke the rules of HTTP/2");
            }
            return GatewayError.upstream(
                    ErrorKind.ORIGIN_RESET,
                    answered ? Retry.NEVER : Retry.IF_REUSED,
                    "the origin closed the connection " + (answered ? "within its answer" : "without an answer"));
        }

        @Override
        protected void onReadComplete() {
            ResponseListener to = listener;
            if (to != null) {
                to.onOriginReadComplete();
            }
        }

        @Override
        protected void onWritable() {
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
    }
}
