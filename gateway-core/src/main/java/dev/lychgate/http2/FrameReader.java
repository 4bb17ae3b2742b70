package dev.lychgate.http2;

import dev.lychgate.codec.DecoderLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Parses frames and assembles header blocks. Validates the format of each frame type; the sink validates the frame
 * against the stream state. Allocates no object per frame.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-4">RFC 9113, 4 HTTP Frames</a>
 */
final class FrameReader {
    /**
     * Limit of CONTINUATION frames per header block. A header block within the limit of bytes needs far fewer frames.
     */
    private static final int MOST_CONTINUATIONS = 16;

    private final FrameSink sink;
    private final HeaderBlockDecoder decoder;
    private final int blockLimit;
    private final HeaderBlock block = new HeaderBlock();

    private boolean settingsSeen;
    private boolean headRead;
    private long messages;
    private int length;
    private int type;
    private int flags;
    private int stream;

    FrameReader(FrameSink sink, DecoderLimits limits) {
        this.sink = sink;
        this.decoder = new HeaderBlockDecoder(limits);
        this.blockLimit = limits.headerBytes();
    }

    /** Returns whether a header block is incomplete. Until the block ends, no other frame may arrive. */
    boolean isWithinBlock() {
        return block.bytes != null;
    }

    /** Returns the stream identifier of an incomplete DATA frame; 0 if there is none. */
    int withinDataOf() {
        return headRead && type == FrameType.DATA ? stream : 0;
    }

    /** Returns whether the header of a frame has been read, but not the payload of this frame. */
    boolean isWithinFrame() {
        return headRead;
    }

    /**
     * Returns the number of bytes that are missing until the header of the next frame, or the payload of the current
     * frame, is complete.
     *
     * @param held number of bytes that have arrived and that {@link #read} has not consumed
     */
    int missing(int held) {
        return (headRead ? length : FrameType.HEAD) - held;
    }

    /** Returns the number of complete frames. A header block counts as one frame. */
    long messages() {
        return messages;
    }

    /**
     * Reads all complete frames.
     *
     * @throws Http2Fault on a connection error. After this exception, the caller must not call this method again
     */
    void read(ByteBuf in, ByteBufAllocator allocator) throws Http2Fault {
        while (headRead || readHead(in)) {
            if (in.readableBytes() < length) {
                return;
            }
            headRead = false;
            int end = in.readerIndex() + length;
            try {
                readPayload(in, allocator);
            } catch (Http2Fault fault) {
                if (fault.isOfConnection()) {
                    throw fault;
                }
                sink.onStreamFault(fault);
            }
            in.readerIndex(end);
            if (!isWithinBlock()) {
                messages++;
            }
        }
    }

    private boolean readHead(ByteBuf in) throws Http2Fault {
        if (in.readableBytes() < FrameType.HEAD) {
            return false;
        }
        length = in.readUnsignedMedium();
        type = in.readUnsignedByte();
        flags = in.readUnsignedByte();
        stream = in.readInt() & Integer.MAX_VALUE;
        if (!settingsSeen && (type != FrameType.SETTINGS || has(FrameType.ACK))) {
            throw fault("the first frame is not SETTINGS");
        }
        settingsSeen = true;
        if (length > FrameType.LONGEST) {
            throw Http2Fault.ofConnection(Http2Error.FRAME_SIZE_ERROR, "a frame exceeds the maximum length of 16 KiB");
        }
        if (block.bytes != null && (type != FrameType.CONTINUATION || stream != block.stream)) {
            throw fault("a frame other than CONTINUATION interrupts a header block");
        }
        headRead = true;
        return true;
    }

    private void readPayload(ByteBuf in, ByteBufAllocator allocator) throws Http2Fault {
        switch (type) {
            case FrameType.DATA -> readData(in);
            case FrameType.HEADERS -> readHeaders(in, allocator);
            case FrameType.PRIORITY -> readPriority(in);
            case FrameType.RST_STREAM -> {
                requireStream();
                requireLength(4);
                sink.onReset(stream, in.readUnsignedInt());
            }
            case FrameType.SETTINGS -> readSettings(in);
            case FrameType.PUSH_PROMISE -> throw fault("the peer sent PUSH_PROMISE, but push is disabled");
            case FrameType.PING -> {
                requireConnection();
                requireLength(8);
                sink.onPing(in.readLong(), has(FrameType.ACK));
            }
            case FrameType.GOAWAY -> {
                requireConnection();
                if (length < 8) {
                    throw wrongLength();
                }
                sink.onGoAway(in.readInt() & Integer.MAX_VALUE, Http2Error.of(in.readUnsignedInt()));
            }
            case FrameType.WINDOW_UPDATE -> readWindowUpdate(in);
            case FrameType.CONTINUATION -> readContinuation(in);
            default -> sink.onIgnored();
        }
    }

    private void readData(ByteBuf in) throws Http2Fault {
        requireStream();
        int content = withoutPadding(in, length);
        sink.onData(stream, in.readRetainedSlice(content), length, has(FrameType.END_STREAM));
    }

    /**
     * Reads the padding length, if present.
     *
     * @return the payload length without padding
     */
    private int withoutPadding(ByteBuf in, int bytes) throws Http2Fault {
        if (!has(FrameType.PADDED)) {
            return bytes;
        }
        if (bytes < 1) {
            throw wrongLength();
        }
        int content = bytes - 1 - in.readUnsignedByte();
        if (content < 0) {
            throw fault("the padding of a frame is longer than the frame");
        }
        return content;
    }

    private void readHeaders(ByteBuf in, ByteBufAllocator allocator) throws Http2Fault {
        requireStream();
        int content = withoutPadding(in, length);
        boolean onItself = false;
        if (has(FrameType.WITH_PRIORITY)) {
            if (content < 5) {
                throw wrongLength();
            }
            onItself = (in.readInt() & Integer.MAX_VALUE) == stream;
            in.skipBytes(1);
            content -= 5;
        }
        ByteBuf fragment = in.readSlice(content);
        if (has(FrameType.END_HEADERS)) {
            deliver(fragment, onItself, has(FrameType.END_STREAM));
        } else {
            block.begin(stream, onItself, has(FrameType.END_STREAM), allocator);
            extend(fragment);
        }
    }

    private void readContinuation(ByteBuf in) throws Http2Fault {
        ByteBuf bytes = block.bytes;
        if (bytes == null) {
            throw fault("a CONTINUATION frame does not follow a header block");
        }
        if (++block.continuations > MOST_CONTINUATIONS) {
            throw Http2Fault.ofConnection(Http2Error.ENHANCE_YOUR_CALM, "a header block consists of too many frames");
        }
        extend(in.readSlice(length));
        if (has(FrameType.END_HEADERS)) {
            try {
                deliver(bytes, block.onItself, block.endStream);
            } finally {
                block.end();
            }
        }
    }

    private void extend(ByteBuf fragment) throws Http2Fault {
        ByteBuf bytes = block.bytes;
        if (bytes == null || bytes.readableBytes() + fragment.readableBytes() > blockLimit) {
            throw Http2Fault.ofConnection(Http2Error.ENHANCE_YOUR_CALM, "a header block exceeds its maximum length");
        }
        bytes.writeBytes(fragment);
    }

    private void deliver(ByteBuf bytes, boolean onItself, boolean endStream) throws Http2Fault {
        HeaderFields fields = decoder.decode(stream, bytes);
        if (onItself) {
            fields.malformed("the stream depends on itself");
        }
        sink.onHeaders(stream, fields, endStream);
    }

    private void readPriority(ByteBuf in) throws Http2Fault {
        requireStream();
        requireLength(5);
        if ((in.readInt() & Integer.MAX_VALUE) == stream) {
            throw fault("the stream depends on itself");
        }
        sink.onIgnored();
    }

    private void readSettings(ByteBuf in) throws Http2Fault {
        requireConnection();
        if (has(FrameType.ACK)) {
            requireLength(0);
            sink.onSettingsAck();
            return;
        }
        if (length % 6 != 0) {
            throw wrongLength();
        }
        for (int i = 0; i < length; i += 6) {
            sink.onSetting(in.readUnsignedShort(), in.readUnsignedInt());
        }
        sink.onSettingsEnd();
    }

    private void readWindowUpdate(ByteBuf in) throws Http2Fault {
        requireLength(4);
        int increment = in.readInt() & Integer.MAX_VALUE;
        if (increment == 0 && stream != 0) {
            throw Http2Fault.ofStream(stream, Http2Error.PROTOCOL_ERROR, "the increment of a WINDOW_UPDATE is 0");
        }
        if (increment == 0) {
            throw fault("the increment of a WINDOW_UPDATE is 0");
        }
        sink.onWindowUpdate(stream, increment);
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    private void requireStream() throws Http2Fault {
        if (stream == 0) {
            throw fault("a frame has stream 0, but frames of this type require another stream");
        }
    }

    private void requireConnection() throws Http2Fault {
        if (stream != 0) {
            throw fault("a frame has a stream other than 0, but frames of this type require stream 0");
        }
    }

    private void requireLength(int bytes) throws Http2Fault {
        if (length != bytes) {
            throw wrongLength();
        }
    }

    private static Http2Fault wrongLength() {
        return Http2Fault.ofConnection(Http2Error.FRAME_SIZE_ERROR, "the length of a frame is not valid for its type");
    }

    private static Http2Fault fault(String detail) {
        return Http2Fault.ofConnection(Http2Error.PROTOCOL_ERROR, detail);
    }

    /** Returns the buffer size of an incomplete header block, in bytes; 0 if there is none. */
    int blockSize() {
        ByteBuf bytes = block.bytes;
        return bytes == null ? 0 : bytes.capacity();
    }

    /** Releases an incomplete header block; call when the connection is closed. */
    void release() {
        block.end();
    }

    /** A header block that arrives in several frames. */
    private static final class HeaderBlock {
        private @Nullable ByteBuf bytes;
        private int stream;
        private boolean onItself;
        private boolean endStream;
        private int continuations;

        void begin(int ofStream, boolean dependsOnItself, boolean endsStream, ByteBufAllocator allocator) {
            bytes = allocator.buffer();
            stream = ofStream;
            onItself = dependsOnItself;
            endStream = endsStream;
            continuations = 0;
        }

        void end() {
            ByteBuf b = bytes;
            if (b != null) {
                bytes = null;
                b.release();
            }
        }
    }
}
