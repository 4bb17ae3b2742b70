package dev.lychgate.exchange.tunnel;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Creates the close frame with which the gateway ends a WebSocket. Its status is 1001 (going away).
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1">RFC 6455, 7.4.1 Defined Status Codes</a>
 */
final class CloseFrame {
    private static final int FIN_AND_CLOSE = 0x88;
    private static final int MASKED = 0x80;
    private static final int GOING_AWAY = 1001;

    private CloseFrame() {}

    /** Returns an unmasked frame for a client. The caller owns the frame. */
    static ByteBuf toClient() {
        return Unpooled.buffer(4)
                .writeByte(FIN_AND_CLOSE)
                .writeByte(Short.BYTES)
                .writeShort(GOING_AWAY);
    }

    /** Returns a frame for an origin, masked with {@code mask}. The caller owns the frame. */
    static ByteBuf toOrigin(int mask) {
        return Unpooled.buffer(8)
                .writeByte(FIN_AND_CLOSE)
                .writeByte(MASKED | Short.BYTES)
                .writeInt(mask)
                .writeShort(GOING_AWAY ^ (mask >>> Short.SIZE));
    }
}
