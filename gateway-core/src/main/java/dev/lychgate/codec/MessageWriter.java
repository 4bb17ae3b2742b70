package dev.lychgate.codec;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.splice.SplicedPiece;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes HTTP/1.1 messages to one connection: a head, body chunks and an end. The caller must flush. The writer derives
 * the framing headers from the head's framing, so that no other header can contradict the framing.
 *
 * <p>The writer merges small writes: it sends a head with a small body as one buffer, and queues many small chunks as a
 * few large buffers. Chunks above {@link WriteBatch#COPY_LIMIT} are written without a copy.
 *
 * <p>Owned by one connection and used on its event loop. Every write transfers ownership of its buffer, even if it
 * fails.
 */
public class MessageWriter {
    static final int COPY_LIMIT = WriteBatch.COPY_LIMIT;

    private static final int CRLF = 0x0d0a;

    private static final AsciiString HTTP_1_1 = AsciiString.cached(" HTTP/1.1\r\n");
    private static final AsciiString STATUS_LINE = AsciiString.cached("HTTP/1.1 ");
    private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length: ");
    private static final AsciiString CHUNKED = AsciiString.cached("transfer-encoding: chunked\r\n");

    /**
     * Preallocated response that is sent if no memory is left for the head of the intended response. The connection is
     * closed afterwards.
     */
    private static final ByteBuf OVERLOADED = Unpooled.unreleasableBuffer(Unpooled.directBuffer()
            .writeBytes(("HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncache-control: no-store\r\n"
                            + "content-length: 0\r\nconnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII)));

    private final WriteBatch out;
    private final HeadBuffer head = HeadBuffer.ofThread();
    private BodyFraming framing = BodyFraming.NONE;

    /**
     * Creates a writer at the position of {@code reader}: writes pass only through the handlers before {@code reader}
     * in {@code pipeline}.
     */
    public MessageWriter(ChannelHandler reader, ChannelPipeline pipeline) {
        this(Objects.requireNonNull(pipeline.context(reader)));
    }

    /**
     * Creates a writer.
     *
     * @param ctx the context from which writes reach the socket without passing another handler
     */
    public MessageWriter(ChannelHandlerContext ctx) {
        this.out = new WriteBatch(ctx);
    }

    /**
     * Begins a request.
     *
     * @param path path in the request line, without the query
     */
    public final void request(RequestHead request, String path) {
        beginRequest(request, path);
        endHead(request.contentLength(), Unpooled.EMPTY_BUFFER);
    }

    /** Begins a request for a WebSocket; {@link #becomeTunnel()} may follow. */
    public final void request(RequestHead request, String path, WebSocketOffer offer) {
        beginRequest(request, path);
        HeadBuffer h = head;
        h.field(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE);
        h.field(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
        h.field(HttpHeaderNames.SEC_WEBSOCKET_KEY, offer.key);
        endHead(request.contentLength(), Unpooled.EMPTY_BUFFER);
    }

    /** Switches to writing chunks without framing, after the peer has accepted the tunnel. */
    public final void becomeTunnel() {
        framing = BodyFraming.TUNNEL;
    }

    private void beginRequest(RequestHead request, String path) {
        framing = request.framing();
        HeadBuffer h = head;
        h.clear();
        h.add(request.method().asciiName()).add(' ').add(path);
        String query = request.query();
        if (query != null) {
            h.add('?').add(query);
        }
        h.add(HTTP_1_1);
        fields(request.headers());
    }

    /**
     * Begins a response, final or interim. If no memory is left for its head, the client receives a 503 instead, and
     * the connection is closed.
     *
     * @param as framing of the response to this client, which may differ from the framing of the origin's response
     * @param connection value of the Connection header; null for no header
     */
    public final void response(ResponseHead response, BodyFraming as, @Nullable AsciiString connection) {
        framing = as;
        HeadBuffer h = head;
        h.clear();
        h.add(STATUS_LINE).add(response.status()).add(' ').add(response.reason());
        h.endLine();
        fields(response.headers());
        if (connection != null) {
            h.field(HttpHeaderNames.CONNECTION, connection);
        }
        endHead(response.contentLength(), OVERLOADED);
    }

    private void fields(HttpHeaders headers) {
        if (headers instanceof FlatHeaders flat) {
            flat.writeTo(head);
            return;
        }
        Iterator<Map.Entry<CharSequence, CharSequence>> fields = headers.iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            head.field(field.getKey(), field.getValue());
        }
    }

    private void endHead(long contentLength, ByteBuf otherwise) {
        HeadBuffer h = head;
        int room = 0;
        if (framing == BodyFraming.LENGTH) {
            h.add(CONTENT_LENGTH).add(contentLength);
            h.endLine();
            room = contentLength <= COPY_LIMIT ? (int) contentLength : 0;
        } else if (framing == BodyFraming.CHUNKED) {
            h.add(CHUNKED);
            room = 256;
        }
        h.endLine();
        h.copyTo(out.room(h.length() + room, otherwise));
    }

    /** Writes a body chunk, which the writer owns. */
    public final void body(ByteBuf piece) {
        int length = piece.readableBytes();
        if (length == 0 || framing == BodyFraming.NONE) {
            // After a head without a body, the peer would interpret the bytes as the next message.
            piece.release();
            return;
        }
        boolean chunked = framing == BodyFraming.CHUNKED;
        if (chunked) {
            chunkHead(length);
        }
        out.add(piece);
        if (chunked) {
            out.room(2).writeShort(CRLF);
        }
    }

    /** Writes a spliced chunk of a body with known length. The writer owns the chunk. */
    public final void body(SplicedPiece piece) {
        if (framing != BodyFraming.LENGTH) {
            piece.release();
            throw new IllegalStateException(
                    "a spliced chunk requires a body of known length, but the framing is " + framing);
        }
        out.add(piece);
    }

    private void chunkHead(int length) {
        ByteBuf room = out.room(10);
        int shift = 28;
        while (shift > 0 && length >>> shift == 0) {
            shift -= 4;
        }
        for (; shift >= 0; shift -= 4) {
            room.writeByte(Character.forDigit((length >>> shift) & 15, 16));
        }
        room.writeShort(CRLF);
    }

    /**
     * Ends the message.
     *
     * @param trailers sent only if the framing permits them
     */
    public final void end(HttpHeaders trailers) {
        if (framing != BodyFraming.CHUNKED) {
            return;
        }
        HeadBuffer h = head;
        h.clear();
        h.add('0');
        h.endLine();
        if (!trailers.isEmpty()) {
            fields(trailers);
        }
        h.endLine();
        h.copyTo(out.room(h.length()));
    }

    /** Sends the data that was written since the last flush. */
    public final void flush() {
        out.flush();
    }

    /** Releases unsent data; call when the connection is closed. */
    public final void release() {
        out.release();
    }
}
