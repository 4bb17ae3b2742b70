package dev.lychgate.exchange.tunnel;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;

/**
 * Tracks frame boundaries in one direction of a WebSocket, so that the gateway can insert a frame between two frames.
 * This class reads the frame headers in relayed bytes without storing or changing the bytes, and allocates no objects
 * per frame. Used on one event loop.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455#section-5.2">RFC 6455, 5.2 Base Framing Protocol</a>
 */
final class FrameTracker {
    private static final int BASE_HEADER = 2;
    private static final int MASKING_KEY = 4;
    private static final int CLOSE = 8;

    private final ByteProcessor headers = b -> onHeaderByte(b, false);
    private final ByteProcessor oneHeader = b -> onHeaderByte(b, true);

    private int opcode;
    /** The number of bytes of the current frame's header that have been tracked; 0 between two frames. */
    private int header;
    /**
     * The length of the current frame's header, in bytes. The value grows when a part of the header states that further
     * parts follow.
     */
    private int headerLength = BASE_HEADER;
    /**
     * The number of bytes of the extended length field in frames with more than 125 payload bytes; 0 in shorter frames.
     */
    private int lengthBytes;
    /** The number of remaining payload bytes of the current frame. */
    private long payload;

    private boolean closed;

    /** Returns whether all tracked frames are complete. */
    boolean isBetweenFrames() {
        return header == 0;
    }

    /** Returns whether a complete close frame has been tracked. The sender of a close frame sends no further frames. */
    boolean isClosed() {
        return closed;
    }

    /** Tracks {@code bytes} without changing their indices. */
    void pass(ByteBuf bytes) {
        pass(bytes, false);
    }

    /**
     * Tracks the bytes up to the end of the current frame.
     *
     * @return the number of tracked bytes
     */
    int passFrame(ByteBuf bytes) {
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
                // One iteration reads all adjacent header bytes, so that the bounds of the buffer are checked only
                // once. The check would be costly, because frames may be as short as two bytes.
                int last = bytes.forEachByte(at, end - at, oneFrame ? oneHeader : headers);
                at = last < 0 ? end : last + 1;
            }
            if (oneFrame && header == 0) {
                break;
            }
        }
        return at - begin;
    }

    /**
     * Reads one byte of a frame header.
     *
     * @return whether the next byte also belongs to a header
     */
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
                // The length is invalid, so the frame is treated as endless.
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
