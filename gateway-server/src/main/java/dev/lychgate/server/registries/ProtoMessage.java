package dev.lychgate.server.registries;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Writes a message of Protocol Buffers, field by field: the little of it that OTLP needs, in place of a library and
 * generated code of some megabytes.
 *
 * @see <a href="https://protobuf.dev/programming-guides/encoding/">Protocol Buffers: encoding</a>
 */
final class ProtoMessage {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private void varint(long value) {
        long left = value;
        while ((left & ~0x7FL) != 0) {
            out.write((int) ((left & 0x7F) | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }

    private void tag(int field, int type) {
        varint((long) field << 3 | type);
    }

    private void littleEndian(long value) {
        for (int shift = 0; shift < 64; shift += 8) {
            out.write((int) (value >>> shift));
        }
    }

    ProtoMessage enumeration(int field, int value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    ProtoMessage flag(int field, boolean value) {
        return enumeration(field, value ? 1 : 0);
    }

    ProtoMessage fixed(int field, long value) {
        tag(field, FIXED64);
        littleEndian(value);
        return this;
    }

    ProtoMessage number(int field, double value) {
        return fixed(field, Double.doubleToRawLongBits(value));
    }

    ProtoMessage text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** A repeated field of fixed64, packed. */
    ProtoMessage fixeds(int field, long[] values) {
        tag(field, LENGTH);
        varint(values.length * 8L);
        for (long value : values) {
            littleEndian(value);
        }
        return this;
    }

    /** A repeated field of doubles, packed. */
    ProtoMessage numbers(int field, double[] values) {
        tag(field, LENGTH);
        varint(values.length * 8L);
        for (double value : values) {
            littleEndian(Double.doubleToRawLongBits(value));
        }
        return this;
    }

    ProtoMessage message(int field, Consumer<ProtoMessage> content) {
        ProtoMessage inner = new ProtoMessage();
        content.accept(inner);
        return message(field, inner);
    }

    ProtoMessage message(int field, ProtoMessage inner) {
        tag(field, LENGTH);
        varint(inner.out.size());
        out.writeBytes(inner.bytes());
        return this;
    }

    private ProtoMessage bytes(int field, byte[] value) {
        tag(field, LENGTH);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    int size() {
        return out.size();
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
