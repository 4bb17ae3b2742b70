package dev.lychgate.codec;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;

/**
 * Knows where the frames of one direction of a WebSocket end, and nothing else of them: reads the headers of frames as their
 * bytes pass by, keeps nothing and changes nothing. That is what it takes to put a frame of one's own between two others.
 * Makes no garbage; on one event loop.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455#section-5.2">RFC 6455, 5.2 Base Framing Protocol</a>
 */
public final class FrameTracker {
    private static final int BASE_HEADER = 2;
    private static final int MASKING_KEY = 4;
    private static final int CLOSE = 8;

    private final ByteProcessor headers = b -> onHeaderByte(b, false);
    private final ByteProcessor oneHeader = b -> onHeaderByte(b, true);

    private int opcode;
    /** Bytes of the current frame's header that have passed; 0 between two frames. */
    private int header;
    /** How many it has, as far as that is known. */
    private int headerLength = BASE_HEADER;
    /** Bytes that tell a length beyond 125. */
    private int lengthBytes;
    /** Bytes of the current frame's payload that have not passed. */
    private long payload;

    private boolean closed;

    /** Whether no frame is under way. */
    public boolean isBetweenFrames() {
        return header == 0;
    }

    /** Whether a whole close frame has passed: its sender has nothing more to say. */
    public boolean isClosed() {
        return closed;
    }

    /** {@code bytes} pass; their indices stay as they are. */
    public void pass(ByteBuf bytes) {
        pass(bytes, false);
    }

    /** As much of {@code bytes} passes as belongs to the frame that is under way. @return how much that is */
    public int passFrame(ByteBuf bytes) {
        return isBetweenFrames() ? 0 : pass(bytes, true);
    }

    private int pass(ByteBuf bytes, boolean oneFrame) {
        int begin = bytes.readerIndex();
        int end = bytes.writerIndex();
        int at = begin;
        while (at < end) {
            if (payload > 0 && header == headerLength) {
                int step = (int) Math.min(payload, end - at);
                payload -= step;
                at += step;
                if (payload == 0) {
                    endFrame();
                }
            } else {
                // As one run of bytes, which costs the buffer's checks once: frames may be two bytes long.
                int last = bytes.forEachByte(at, end - at, oneFrame ? oneHeader : headers);
                at = last < 0 ? end : last + 1;
            }
            if (oneFrame && header == 0) {
                break;
            }
        }
        return at - begin;
    }

    /** @return whether the next byte is one of a header, too */
    private boolean onHeaderByte(int b, boolean oneFrame) {
        readHeader(b & 0xff);
        if (header < headerLength) {
            return true;
        }
        if (payload > 0) {
            return false;
        }
        endFrame();
        return !oneFrame;
    }

    private void readHeader(int b) {
        if (header == 0) {
            opcode = b & 0x0f;
        } else if (header == 1) {
            int length = b & 0x7f;
            lengthBytes = length == 126 ? Short.BYTES : length == 127 ? Long.BYTES : 0;
            payload = lengthBytes == 0 ? length : 0;
            headerLength = BASE_HEADER + lengthBytes + ((b & 0x80) == 0 ? 0 : MASKING_KEY);
        } else if (header < BASE_HEADER + lengthBytes) {
            payload = payload << 8 | b;
            if (header == BASE_HEADER + lengthBytes - 1 && payload < 0) {
                // No such length exists; whoever sends it may go on for ever.
                payload = Long.MAX_VALUE;
            }
        }
        header++;
    }

    private void endFrame() {
        closed |= opcode == CLOSE;
        header = 0;
        headerLength = BASE_HEADER;
    }
}
