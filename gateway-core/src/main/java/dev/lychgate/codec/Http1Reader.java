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
 * Reads the HTTP/1 messages of one direction of a connection, each byte once: from bytes straight to heads, chunks of body and
 * ends. A head or a trailer section stays in the buffer until it is whole, so that the memory budget counts it; a body is passed
 * on as it arrives, without a copy. A malformed message is not read any further, nor is anything after it.
 *
 * <p>Where the rest of a body is known to come, its first bytes may bypass the reader ({@link #pass}). Netty's base class
 * accumulates the bytes of several reads; nothing is passed through the pipeline. Lives on the connection's event loop.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112">RFC 9112, HTTP/1.1</a>
 */
abstract class Http1Reader extends ByteToMessageDecoder {
    /** What the next byte belongs to. */
    enum State {
        /** No message is expected. Of responses only: requests may come at any time. */
        IDLE,
        /** Bytes came while no message was expected; they were reported once, and all that follows is discarded. */
        UNSOLICITED,
        /** A message is expected and no byte of it has come. Of responses only. */
        AWAITED,
        /** A head. */
        HEAD,
        /** A body of a known length. */
        LENGTH,
        /** A chunked body. */
        CHUNKED,
        /** A body that ends with the connection. Of responses only. */
        UNTIL_CLOSE,
        /** No HTTP any more: the bytes of another protocol. */
        TUNNEL,
        /** A message was malformed, or reading was given up; all that follows is discarded. */
        REFUSED;

        /** Whether {@code next} may follow this state. */
        boolean leadsTo(State next) {
            return switch (this) {
                case IDLE -> next == AWAITED || next == UNSOLICITED;
                case AWAITED -> next == HEAD;
                // Behind a head without a body is the next head, or nothing until the next request.
                case HEAD -> next != UNSOLICITED && next != AWAITED;
                // Reading may be given up within a body.
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
    /** Bytes of a body of known length that have not come. */
    private long left;
    /** The Connection fields of the message whose chunked body is read: they may nominate trailers. */
    private List<String> connection = List.of();

    /** @param first what the first byte belongs to */
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

    // ---- what a direction makes of it

    /**
     * A head has come whole. It decides how the body is framed, by {@link #beginBody}, and reports the head.
     *
     * @param head its bytes from the start line on, valid by their grammar
     * @param index where its start line is split; only the first fields may be known
     * @param fields its header fields, which may be changed
     * @param mayHaveForwardingFields see {@link HeadScanner#mayHaveForwardingFields}
     */
    abstract void onHead(byte[] head, HeadIndex index, HttpHeaders fields, boolean mayHaveForwardingFields);

    /** A chunk of the body, or of a tunnel's bytes, which belongs to the callee. */
    abstract void onBody(ByteBuf chunk);

    /** The message has come to its end. */
    abstract void onEnd(HttpHeaders trailers);

    /** The bytes must not be read any further. */
    abstract void onRefused(ErrorKind kind, String detail);

    /** Bytes came in {@link State#IDLE}, and were discarded. */
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

    /** Where the parts of the whole head are. One that came in several reads is scanned once more, in one go. */
    private HeadIndex index(ByteBuf in) {
        HeadIndex index = scanner.index();
        if (index == null) {
            scanner.reset();
            scanner.scan(in);
            index = scanner.index();
        }
        if (index == null) {
            throw new IllegalStateException("a head that is whole has no index");
        }
        return index;
    }

    /**
     * Continues behind a head with the body that it frames.
     *
     * @param length of the body in bytes, where {@code framing} is {@link BodyFraming#LENGTH}
     * @param connectionFields the Connection fields of the head
     * @return whether anything follows that belongs to the same message
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

    /** Gives up reading, within a read, and reports why. */
    final void refuse(ErrorKind kind, String detail) {
        discardRest();
        onRefused(kind, detail);
    }

    /** Gives up reading, within a read. */
    final void discardRest() {
        become(State.REFUSED);
        ByteBuf rest = internalBuffer();
        rest.skipBytes(rest.readableBytes());
    }

    /** Returns how many bytes have been received and not yet parsed. */
    public final int buffered() {
        return actualReadableBytes();
    }

    /** Returns the size of the buffer in which {@link #buffered} bytes lie, in bytes; 0 if there are none. */
    public final int bufferSize() {
        return actualReadableBytes() == 0 ? 0 : internalBuffer().capacity();
    }

    /** How many bytes of the body under way have not come, if their number is known and none of them is buffered; else 0. */
    public final long bodyLeft() {
        return state == State.LENGTH && actualReadableBytes() == 0 ? left : 0;
    }

    /** The next {@code bytes} of the body, fewer than {@link #bodyLeft}, bypass this reader: the last one does not. */
    public final void pass(long bytes) {
        if (bytes >= bodyLeft()) {
            throw new IllegalArgumentException("a body of which nothing is left to be read");
        }
        left -= bytes;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        // Not as the base class does it, which reads on by itself where nothing was passed through the pipeline.
        discardSomeReadBytes();
        ctx.fireChannelReadComplete();
    }
}
