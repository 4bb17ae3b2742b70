package dev.lychgate.authorization;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Encodes a message in Protocol Buffers, field by field. Fields with their default values are omitted. */
final class ProtoMessage {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

    private interface Writing {
        void run() throws IOException;
    }

    private ProtoMessage write(boolean present, Writing writing) {
        if (present) {
            try {
                writing.run();
            } catch (IOException e) {
                throw new UncheckedIOException("writing to memory failed", e);
            }
        }
        return this;
    }

    ProtoMessage text(int field, String value) {
        return write(!value.isEmpty(), () -> out.writeString(field, value));
    }

    ProtoMessage bytes(int field, byte[] value) {
        return write(value.length > 0, () -> out.writeByteArray(field, value));
    }

    ProtoMessage number(int field, long value) {
        return write(value != 0, () -> out.writeInt64(field, value));
    }

    ProtoMessage message(int field, ProtoMessage value) {
        return write(true, () -> out.writeByteArray(field, value.toByteArray()));
    }

    ProtoMessage map(int field, Map<String, String> entries) {
        entries.forEach(
                (key, value) -> message(field, new ProtoMessage().text(1, key).text(2, value)));
        return this;
    }

    byte[] toByteArray() {
        write(true, out::flush);
        return bytes.toByteArray();
    }
}
