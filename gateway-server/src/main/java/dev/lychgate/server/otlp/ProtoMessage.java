package dev.lychgate.server.otlp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a Protocol Buffers message field by field. It supports only the types of fields that OTLP needs; a library
 * with generated code would take some megabytes.
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

    /** Writes an integer, a boolean or an enum constant as a varint. */
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

    /** Writes a packed repeated field of fixed64 values. */
    public ProtoMessage fixeds(int field, long[] values) {
        tag(field, LENGTH);
        varint(values.length * 8L);
        for (long value : values) {
            littleEndian(value);
        }
        return this;
    }

    /** Writes a packed repeated field of doubles. */
    public ProtoMessage numbers(int field, double[] values) {
        return fixeds(
                field,
                DoubleStream.of(values).mapToLong(Double::doubleToRawLongBits).toArray());
    }

    public ProtoMessage message(int field, ProtoMessage inner) {
        return bytes(field, inner.bytes());
    }

    /** Writes an id that consists of the bytes of {@code words}, the most significant byte first. */
    public ProtoMessage id(int field, long... words) {
        byte[] id = new byte[8 * words.length];
        for (int i = 0; i < id.length; i++) {
            id[i] = (byte) (words[i / 8] >>> (56 - 8 * (i % 8)));
        }
        return bytes(field, id);
    }

    /**
     * Adds a {@code KeyValue} of OpenTelemetry.
     *
     * @param value a string, a boolean, an integer or a double, or a list or a map of values; null for no attribute
     */
    public ProtoMessage attribute(int field, String key, @Nullable Object value) {
        return value == null
                ? this
                : message(field, new ProtoMessage().text(1, key).message(2, any(value)));
    }

    /** Returns an {@code AnyValue} of OpenTelemetry. */
    static ProtoMessage any(Object value) {
        ProtoMessage any = new ProtoMessage();
        if (value instanceof String text) {
            return any.text(1, text);
        } else if (value instanceof Boolean flag) {
            return any.flag(2, flag);
        } else if (value instanceof Double number) {
            return any.number(4, number);
        } else if (value instanceof List<?> list) {
            ProtoMessage array = new ProtoMessage();
            list.forEach(each -> array.message(1, any(each)));
            return any.message(5, array);
        } else if (value instanceof Map<?, ?> map) {
            ProtoMessage pairs = new ProtoMessage();
            map.forEach((key, each) -> pairs.attribute(1, String.valueOf(key), each));
            return any.message(6, pairs);
        }
        return any.integer(3, ((Number) value).longValue());
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
