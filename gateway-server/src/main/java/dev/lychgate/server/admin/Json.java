package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes JSON into memory. */
final class Json {
    /** Nothing but ASCII: what somebody has sent, and a terminal shows, can't steer it. */
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private Json() {}

    /** Something that can be written down as JSON. */
    interface Content {
        void write(JsonGenerator json) throws IOException;
    }

    /** One value in UTF-8, and a line end for those who look at it in a terminal. */
    static byte[] bytes(Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            content.write(json);
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
