package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.TrailerFields;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;

/**
 * Reads the HTTP/1 messages of one direction of a connection in a single pass, and reports their heads, body chunks and
 * ends. A head or trailer section stays in the buffer until it is complete, so that the memory budget accounts for it.
 * Body bytes are delivered as they arrive, without a copy. Reading stops at a malformed message.
 *
 * <p>The first bytes of a body may bypass the reader, see {@link #pass}; the last bytes must not. Netty's base class
 * accumulates the bytes of several reads. The reader calls its subclass directly and sends no messages through the
 * pipeline. Used on the connection's event loop.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112">RFC 9112, HTTP/1.1</a>
 */
abstract class Http1Reader extends ByteToMessageDecoder {
    /** The element to which the next byte belongs. */
    enum State {
        /**
         * No message is expected. Readers of requests do not have this state, because requests may arrive at any time.
         */
        IDLE,
        /** Bytes arrived while no message was expected. They were reported once, and further bytes are discarded. */
        UNSOLICITED,
        /** A message is expected and has not begun. Readers of requests do not have this state. */
        AWAITED,
        HEAD,
        /** A body of a known length. */
        LENGTH,
        CHUNKED,
        /** A body whose end is the end of the connection. Readers of requests do not have this state. */
        UNTIL_CLOSE,
        /** Bytes of another protocol after HTTP. */
        TUNNEL,
        /** A message was malformed, or reading was aborted; further bytes are discarded. */
        REFUSED;

        /** Returns whether {@code next} may follow this state. */
        boolean leadsTo(State next) {
            return switch (this) {
                case IDLE -> next == AWAITED || next == UNSOLICITED;
                case AWAITED -> next == HEAD;
                // After a head without a body, the next state is the next head, or idle until the next request.
                case HEAD -> next != UNSOLICITED && next != AWAITED;
                // Reading may be aborted within a body.
                case LENGTH, CHUNKED, UNTIL_CLOSE -> next == HEAD || next == IDLE || next == REFUSED;
                case TUNNEL -> next == REFUSED;
                case UNSOLICITED, REFUSED -> false;
            };
        }
    }

    private static final int CRLF = 2;

    private final HeadScanner scanner;
    private final ChunkReader chunks;
    private State state;
    /** Number of remaining bytes of a body with a known length. */
    private long left;
    /**
     * Connection headers of the current message, while its chunked body is read. They may nominate trailers for
     * removal.
     */
    private List<String> connection = List.of();

    /**
     * Creates a reader.
     *
     * @param first the element to which the first byte belongs
     */
    Http1Reader(HeadScanner scanner, DecoderLimits limits, State first) {
        this.scanner = scanner;
        this.chunks = new ChunkReader(scanner, limits);
        this.state = first;
    }

    final State state() {
        return state;
    }

    final void become(State next) {
        assert state.leadsTo(next) : state + " to " + next;
        state = next;
    }

    // ---- callbacks

    /**
     * Handles a complete head: sets the framing of the body with {@link #beginBody}, and reports the head.
     *
     * @param head the bytes of the head, beginning with the start line; syntactically valid
     * @param index positions within the start line and of the first fields
     * @param fields modifiable headers
     * @param mayHaveForwardingFields see {@link HeadScanner#mayHaveForwardingFields}
     */
    abstract void onHead(byte[] head, HeadIndex index, HttpHeaders fields, boolean mayHaveForwardingFields);

    /** Handles a chunk of the body or tunnel. This method owns the chunk. */
    abstract void onBody(ByteBuf chunk);

    /** Handles the end of the message. */
    abstract void onEnd(HttpHeaders trailers);

    /** Handles the rejection of the message, which stops reading. */
    abstract void onRefused(ErrorKind kind, String detail);

    /** Handles bytes that arrived in {@link State#IDLE} and were discarded. */
    abstract void onUnsolicited();

    // ---- reading

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        switch (state) {
            case IDLE -> {
                become(State.UNSOLICITED);
                in.skipBytes(in.readableBytes());
                onUnsolicited();
            }
            case AWAITED -> {
                become(State.HEAD);
                readHead(in);
            }
            case HEAD -> readHead(in);
            case LENGTH -> readBody(in);
            case CHUNKED -> readChunks(in);
            case UNTIL_CLOSE, TUNNEL -> onBody(in.readRetainedSlice(in.readableBytes()));
            case UNSOLICITED, REFUSED -> in.skipBytes(in.readableBytes());
        }
    }

    private void readHead(ByteBuf in) {
        HeadScanner.Verdict verdict = scanner.scan(in);
        if (verdict == HeadScanner.Verdict.REFUSED) {
            refuse(scanner.kind(), scanner.detail());
        } else if (verdict == HeadScanner.Verdict.WHOLE) {
            HeadIndex index = index(in);
            in.skipBytes(scanner.leadingBytes());
            byte[] head = new byte[scanner.length()];
            in.readBytes(head);
            boolean forwarding = scanner.mayHaveForwardingFields();
            scanner.reset();
            onHead(head, index, fields(head, index), forwarding);
        }
    }

    private static HttpHeaders fields(byte[] head, HeadIndex index) {
        boolean flat = index.count() <= HeadIndex.MOST_FIELDS && head.length <= FlatHeaders.LONGEST_HEAD;
        return flat ? FlatHeaders.of(head, index) : FieldLines.read(head, index.endOfStartLine() + CRLF);
    }

    /**
     * Returns the index of a complete head. A head that arrived in several reads is scanned a second time, as a whole.
     */
    private HeadIndex index(ByteBuf in) {
        HeadIndex index = scanner.index();
        if (index == null) {
            scanner.reset();
            scanner.scan(in);
            index = scanner.index();
        }
        if (index == null) {
            throw new IllegalStateException("a complete head has no index");
        }
        return index;
    }

    /**
     * Continues with the body after a head.
     *
     * @param length body length in bytes, for {@link BodyFraming#LENGTH}
     * @param connectionFields the Connection headers of the head
     * @return whether further bytes belong to the same message
     */
    final boolean beginBody(BodyFraming framing, long length, List<String> connectionFields) {
        switch (framing) {
            case NONE -> {}
            case LENGTH -> {
                left = length;
                if (length > 0) {
                    become(State.LENGTH);
                }
            }
            case CHUNKED -> {
                chunks.begin();
                connection = connectionFields;
                become(State.CHUNKED);
            }
            case UNTIL_CLOSE -> become(State.UNTIL_CLOSE);
            case TUNNEL -> become(State.TUNNEL);
        }
        return state != State.HEAD;
    }

    private void readBody(ByteBuf in) {
        int length = (int) Math.min(left, in.readableBytes());
        left -= length;
        onBody(in.readRetainedSlice(length));
        if (left == 0) {
            onEnd(EmptyHttpHeaders.INSTANCE);
        }
    }

    private void readChunks(ByteBuf in) {
        switch (chunks.read(in)) {
            case INCOMPLETE -> {}
            case CONTENT -> onBody(chunks.content(in));
            case OVER -> onEnd(trailers(in));
            case REFUSED -> refuse(chunks.kind(), chunks.detail());
        }
    }

    private HttpHeaders trailers(ByteBuf in) {
        int length = chunks.trailerLength();
        List<String> nominating = connection;
        connection = List.of();
        scanner.reset();
        if (length == CRLF) {
            in.skipBytes(length);
            return EmptyHttpHeaders.INSTANCE;
        }
        byte[] section = new byte[length];
        in.readBytes(section);
        HttpHeaders trailers = FieldLines.read(section, 0);
        TrailerFields.strip(trailers, nominating);
        return trailers;
    }

    /** Aborts reading and reports the reason. Must be called within a read. */
    final void refuse(ErrorKind kind, String detail) {
        discardRest();
        onRefused(kind, detail);
    }

    /** Aborts reading. Must be called within a read. */
    final void discardRest() {
        become(State.REFUSED);
        ByteBuf rest = internalBuffer();
        rest.skipBytes(rest.readableBytes());
    }

    /** Returns the number of received bytes that have not been parsed yet. */
    public final int buffered() {
        return actualReadableBytes();
    }

    /** Returns the size of the buffer that contains the {@link #buffered} bytes; 0 if there are none. */
    public final int bufferSize() {
        return actualReadableBytes() == 0 ? 0 : internalBuffer().capacity();
    }

    /**
     * Returns the number of body bytes that have not arrived yet; 0 if the length of the body is unknown, or if any
     * byte is buffered.
     */
    public final long bodyLeft() {
        return state == State.LENGTH && actualReadableBytes() == 0 ? left : 0;
    }

    /**
     * Skips the next {@code bytes} bytes of the body, which bypass this reader. The number must be less than
     * {@link #bodyLeft}.
     */
    public final void pass(long bytes) {
        if (bytes >= bodyLeft()) {
            throw new IllegalArgumentException("the last byte of a body must not bypass the reader");
        }
        left -= bytes;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        // Overridden, because the base class requests another read if no message passed through the pipeline.
        discardSomeReadBytes();
        ctx.fireChannelReadComplete();
    }
}
