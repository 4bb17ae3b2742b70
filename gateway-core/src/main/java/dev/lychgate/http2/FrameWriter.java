package dev.lychgate.http2;

import dev.lychgate.codec.WriteBatch;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Writes frames into buffers that several frames share and that the next flush sends. Uses Netty's header compression.
 * Owns every buffer that it receives. If no memory is left for a frame, the connection ends, see {@link
 * WriteBatch#refuse}.
 */
final class FrameWriter {
    /**
     * Fields that are excluded from the compression table. Secrets are excluded, because compressed sizes could
     * disclose them; values that change with each message are excluded, because they would evict useful entries.
     */
    private static final Set<AsciiString> NOT_INDEXED = Set.of(
            AsciiString.cached("authorization"),
            AsciiString.cached("cookie"),
            AsciiString.cached("set-cookie"),
            AsciiString.cached("content-length"),
            AsciiString.cached("content-range"),
            AsciiString.cached("etag"),
            AsciiString.cached("last-modified"),
            AsciiString.cached("expires"),
            AsciiString.cached("age"),
            AsciiString.cached("location"),
            AsciiString.cached("x-request-id"),
            AsciiString.cached("x-forwarded-for"),
            AsciiString.cached("traceparent"));

    private static final int ROOM_FOR_HEADERS = 256;

    private final WriteBatch out;
    private final DefaultHttp2HeadersEncoder encoder =
            new DefaultHttp2HeadersEncoder((name, value) -> isSensitive(name), true);

    FrameWriter(ChannelHandlerContext ctx) {
        this.out = new WriteBatch(ctx);
    }

    private static boolean isSensitive(CharSequence name) {
        return NOT_INDEXED.contains(name instanceof AsciiString ascii ? ascii : AsciiString.of(name));
    }

    /** Sets the maximum size of the compression table to {@code bytes} bytes, as the peer has announced. */
    void tableSize(long bytes) {
        try {
            encoder.maxHeaderTableSize(bytes);
        } catch (Http2Exception e) {
            throw new IllegalArgumentException("a size of the compression table does not fit into 32 bits", e);
        }
    }

    void headers(int stream, OutgoingFields fields, boolean endStream) {
        try {
            writeHeaders(stream, fields, endStream);
        } catch (Http2Exception e) {
            if (e.getCause() instanceof OutOfMemoryError refusal) {
                out.refuse(refusal);
                return;
            }
            throw new IllegalStateException("the header fields cannot be compressed", e);
        } catch (OutOfMemoryError refusal) {
            out.refuse(refusal);
        }
    }

    private void writeHeaders(int stream, OutgoingFields fields, boolean endStream) throws Http2Exception {
        ByteBuf b = out.room(FrameType.HEAD + ROOM_FOR_HEADERS);
        int start = b.writerIndex();
        b.writeZero(FrameType.HEAD);
        encoder.encodeHeaders(stream, fields, b);
        int block = start + FrameType.HEAD;
        int length = b.writerIndex() - block;
        int endFlag = endStream ? FrameType.END_STREAM : 0;
        if (length <= FrameType.LONGEST) {
            head(b, start, length, FrameType.HEADERS, endFlag | FrameType.END_HEADERS, stream);
            return;
        }
        ByteBuf rest = b.copy(block + FrameType.LONGEST, length - FrameType.LONGEST);
        b.writerIndex(block + FrameType.LONGEST);
        head(b, start, FrameType.LONGEST, FrameType.HEADERS, endFlag, stream);
        continuations(stream, rest);
    }

    private void continuations(int stream, ByteBuf rest) {
        try {
            while (rest.isReadable()) {
                int length = Math.min(rest.readableBytes(), FrameType.LONGEST);
                boolean last = length == rest.readableBytes();
                ByteBuf b = head(length, FrameType.CONTINUATION, last ? FrameType.END_HEADERS : 0, stream, length);
                b.writeBytes(rest, length);
            }
        } finally {
            rest.release();
        }
    }

    /**
     * Writes a DATA frame.
     *
     * @param piece at most {@link FrameType#LONGEST} bytes
     */
    void data(int stream, ByteBuf piece, boolean endStream) {
        int length = piece.readableBytes();
        int room = length <= WriteBatch.COPY_LIMIT ? length : 0;
        head(length, FrameType.DATA, endStream ? FrameType.END_STREAM : 0, stream, room);
        out.add(piece);
    }

    void reset(int stream, Http2Error error) {
        head(4, FrameType.RST_STREAM, 0, stream, 4).writeInt(error.code());
    }

    /**
     * Writes a SETTINGS frame.
     *
     * @param idsAndValues alternating identifiers and values of settings
     */
    void settings(int... idsAndValues) {
        int length = idsAndValues.length * 3;
        ByteBuf b = head(length, FrameType.SETTINGS, 0, 0, length);
        for (int i = 0; i < idsAndValues.length; i += 2) {
            b.writeShort(idsAndValues[i]).writeInt(idsAndValues[i + 1]);
        }
    }

    void settingsAck() {
        head(0, FrameType.SETTINGS, FrameType.ACK, 0, 0);
    }

    void ping(long data, boolean ack) {
        head(8, FrameType.PING, ack ? FrameType.ACK : 0, 0, 8).writeLong(data);
    }

    /**
     * Writes a GOAWAY frame.
     *
     * @param why debug data in ASCII
     */
    void goAway(int lastStream, Http2Error error, String why) {
        int length = 8 + why.length();
        ByteBuf b = head(length, FrameType.GOAWAY, 0, 0, length);
        b.writeInt(lastStream).writeInt(error.code()).writeCharSequence(why, StandardCharsets.US_ASCII);
    }

    void windowUpdate(int stream, int increment) {
        head(4, FrameType.WINDOW_UPDATE, 0, stream, 4).writeInt(increment);
    }

    /** Writes the client's preface. */
    void preface() {
        out.room(Preface.BYTES.length()).writeBytes(Preface.BYTES.array());
    }

    private ByteBuf head(int length, int type, int flags, int stream, int room) {
        ByteBuf b = out.room(FrameType.HEAD + room);
        return b.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream);
    }

    private static void head(ByteBuf b, int at, int length, int type, int flags, int stream) {
        b.setMedium(at, length);
        b.setByte(at + 3, type);
        b.setByte(at + 4, flags);
        b.setInt(at + 5, stream);
    }

    void flush() {
        out.flush();
    }

    /** Releases unsent frames; call when the connection is closed. */
    void release() {
        out.release();
        encoder.close();
    }
}
