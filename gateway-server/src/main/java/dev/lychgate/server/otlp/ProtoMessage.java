package dev.lychgate.server.otlp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a message of Protocol Buffers, field by field: the little of it that OTLP needs, in place of a library and
 * generated code of some megabytes.
 *
 * @see <a href="https://protobuf.dev/programming-guides/encoding/">Protocol Buffers: encoding</a>
 */
public final class ProtoMessage {
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

    /** A whole number, a flag or a constant of an enumeration: a varint. */
    public ProtoMessage integer(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    public ProtoMessage flag(int field, boolean value) {
        return integer(field, value ? 1 : 0);
    }

    public ProtoMessage fixed(int field, long value) {
        tag(field, FIXED64);
        littleEndian(value);
        return this;
    }

    public ProtoMessage number(int field, double value) {
        return fixed(field, Double.doubleToRawLongBits(value));
    }

    public ProtoMessage text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** A repeated field of fixed64, packed. */
    public ProtoMessage fixeds(int field, long[] values) {
        tag(field, LENGTH);
        varint(values.length * 8L);
        for (long value : values) {
            littleEndian(value);
        }
        return this;
    }

    /** A repeated field of doubles, packed. */
    public ProtoMessage numbers(int field, double[] values) {
        return fixeds(
                field,
                DoubleStream.of(values).mapToLong(Double::doubleToRawLongBits).toArray());
    }

    public ProtoMessage message(int field, ProtoMessage inner) {
        return bytes(field, inner.bytes());
    }

    /** An id of as many bytes as the words have, the highest first. */
    public ProtoMessage id(int field, long... words) {
        byte[] id = new byte[8 * words.length];
        for (int i = 0; i < id.length; i++) {
            id[i] = (byte) (words[i / 8] >>> (56 - 8 * (i % 8)));
        }
        return bytes(field, id);
    }

    /** A {@code KeyValue} of OpenTelemetry; nothing if there is no value. */
    public ProtoMessage attribute(int field, String key, @Nullable String value) {
        return value == null ? this : pair(field, key, new ProtoMessage().text(1, value));
    }

    /** As the other, of a whole number. */
    public ProtoMessage attribute(int field, String key, long value) {
        return pair(field, key, new ProtoMessage().integer(3, value));
    }

    /** As the other, of a flag. */
    public ProtoMessage attribute(int field, String key, boolean value) {
        return pair(field, key, new ProtoMessage().flag(2, value));
    }

    /** As the other, of any number. */
    public ProtoMessage attribute(int field, String key, double value) {
        return pair(field, key, new ProtoMessage().number(4, value));
    }

    private ProtoMessage pair(int field, String key, ProtoMessage value) {
        return message(field, new ProtoMessage().text(1, key).message(2, value));
    }

    private ProtoMessage bytes(int field, byte[] value) {
        tag(field, LENGTH);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    public int size() {
        return out.size();
    }

    public byte[] bytes() {
        return out.toByteArray();
    }
}
