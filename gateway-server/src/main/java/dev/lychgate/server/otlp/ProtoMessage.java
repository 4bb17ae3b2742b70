package dev.lychgate.server.otlp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One message of protocol buffers, written field by field. The few forms that spans are made of are a page of code; the library
 * for all of them would weigh more than this whole module.
 *
 * @see <a href="https://protobuf.dev/programming-guides/encoding/">Protocol Buffers: Encoding</a>
 */
final class ProtoMessage {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH_DELIMITED = 2;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private void tag(int field, int type) {
        varint((long) field << 3 | type);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }

    ProtoMessage number(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    ProtoMessage fixed64(int field, long value) {
        tag(field, FIXED64);
        for (int i = 0; i < 8; i++) {
            bytes.write((int) (value >>> (8 * i)));
        }
        return this;
    }

    ProtoMessage bytes(int field, byte[] value) {
        tag(field, LENGTH_DELIMITED);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    /** Lone surrogates become question marks: strings of this form are UTF-8. */
    ProtoMessage text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtoMessage message(int field, ProtoMessage value) {
        return bytes(field, value.bytes());
    }

    /** An id of 64 bits, as the bytes that it is written with, the highest first. */
    ProtoMessage id(int field, long... words) {
        byte[] id = new byte[8 * words.length];
        for (int i = 0; i < id.length; i++) {
            id[i] = (byte) (words[i / 8] >>> (56 - 8 * (i % 8)));
        }
        return bytes(field, id);
    }

    /** A {@code KeyValue} of OpenTelemetry; nothing if there is no value. */
    ProtoMessage attribute(int field, String key, @Nullable String value) {
        return value == null
                ? this
                : message(field, new ProtoMessage().text(1, key).message(2, new ProtoMessage().text(1, value)));
    }

    ProtoMessage attribute(int field, String key, long value) {
        return message(field, new ProtoMessage().text(1, key).message(2, new ProtoMessage().number(3, value)));
    }

    ProtoMessage attribute(int field, String key, boolean value) {
        return message(field, new ProtoMessage().text(1, key).message(2, new ProtoMessage().number(2, value ? 1 : 0)));
    }

    ProtoMessage attribute(int field, String key, double value) {
        return message(
                field,
                new ProtoMessage()
                        .text(1, key)
                        .message(2, new ProtoMessage().fixed64(4, Double.doubleToLongBits(value))));
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }
}
