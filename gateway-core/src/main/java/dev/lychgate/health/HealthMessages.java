package dev.lychgate.health;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Encodes and decodes the two messages of {@code grpc.health.v1.Health/Check} as Protocol Buffers. Each message has one
 * field, with the number 1: a string in {@code HealthCheckRequest}, and an enum in {@code HealthCheckResponse}.
 *
 * @see <a href="https://protobuf.dev/programming-guides/encoding/">Protocol Buffers, Encoding</a>
 */
final class HealthMessages {
    private static final int TEXT = (1 << 3) | 2;
    private static final int LONGEST_VARINT = 10;

    /** Reports bytes that do not encode a message. */
    static final class MalformedMessageException extends Exception {
        private static final long serialVersionUID = 1;

        MalformedMessageException() {
            super("malformed protocol buffers message", null, false, false);
        }
    }

    private HealthMessages() {}

    /**
     * Writes the health check request into a buffer that the caller owns.
     *
     * @param service at most 16,383 bytes of UTF-8
     */
    static ByteBuf request(String service, ByteBufAllocator allocator) {
        byte[] name = service.getBytes(UTF_8);
        ByteBuf out = allocator.heapBuffer(3 + name.length);
        if (name.length > 0) {
            out.writeByte(TEXT);
            if (name.length < 128) {
                out.writeByte(name.length);
            } else {
                out.writeByte((name.length & 127) | 128).writeByte(name.length >> 7);
            }
            out.writeBytes(name);
        }
        return out;
    }

    /**
     * Reads the status from a whole response. Unknown fields are skipped. If the response contains several statuses,
     * the last status is the result; without a status, the result is 0.
     *
     * @throws MalformedMessageException if the bytes do not encode a message
     */
    static int status(ByteBuf message) throws MalformedMessageException {
        int status = 0;
        while (message.isReadable()) {
            long tag = varint(message);
            if (tag >>> 3 == 0 || tag >>> 32 != 0) {
                throw new MalformedMessageException();
            }
            int type = (int) tag & 7;
            if (type == 0) {
                long value = varint(message);
                if (tag >>> 3 == 1) {
                    status = (int) value;
                }
            } else {
                skip(
                        message,
                        switch (type) {
                            case 1 -> Long.BYTES;
                            case 2 -> varint(message);
                            case 5 -> Integer.BYTES;
                            default -> -1;
                        });
            }
        }
        return status;
    }

    private static void skip(ByteBuf message, long bytes) throws MalformedMessageException {
        if (bytes < 0 || bytes > message.readableBytes()) {
            throw new MalformedMessageException();
        }
        message.skipBytes((int) bytes);
    }

    private static long varint(ByteBuf message) throws MalformedMessageException {
        long value = 0;
        for (int i = 0; i < LONGEST_VARINT && message.isReadable(); i++) {
            byte next = message.readByte();
            value |= (next & 127L) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw new MalformedMessageException();
    }
}
