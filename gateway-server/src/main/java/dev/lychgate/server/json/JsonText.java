package dev.lychgate.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes JSON into memory. The text is ASCII, so that no value can control the terminal that displays the text. */
public final class JsonText {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private JsonText() {}

    /** Writes one JSON value. */
    public interface Content {
        void write(JsonGenerator json) throws IOException;
    }

    /** Returns one value as bytes of ASCII, with a line feed at the end. */
    public static byte[] bytes(Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            content.write(json);
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Returns one value as bytes of ASCII, with a line feed at the end. */
    public static <V> byte[] bytes(JsonType<V> type, V value) {
        return bytes(json -> type.write(json, value));
    }

    /** Returns one value like {@link #bytes}, but masks secrets of the configuration in the texts of the value. */
    public static <V> byte[] withoutSecrets(JsonType<V> type, V value) {
        return bytes(json -> type.write(new MaskingGenerator(json), value));
    }

    /** Returns one value without a line feed at its end. */
    public static String of(Content content) {
        return new String(bytes(content), StandardCharsets.US_ASCII).stripTrailing();
    }
}
