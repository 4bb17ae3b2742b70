package dev.lychgate.server.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A type of JSON values. It writes Java values as JSON, and describes them in JSON Schema. Thread-safe. */
public interface JsonType<V> {
    void write(JsonGenerator json, V value) throws IOException;

    /** Returns a sentence that describes the type; empty if the schema is sufficient. */
    default String about() {
        return "";
    }

    /** Reads a value from a text such as a query parameter. Returns null if the text does not match this type. */
    default @Nullable V read(String text) {
        return null;
    }

    /** Returns the schema of the type as a tree. The tree refers to {@link Shape shapes} by name. */
    Map<String, Object> schema();

    /** Adds to {@code schemas} the schemas of all shapes that this type uses. The keys are the names of the shapes. */
    default void collect(Map<String, Object> schemas) {}
}
