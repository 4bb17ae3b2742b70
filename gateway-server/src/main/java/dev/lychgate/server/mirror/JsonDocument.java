package dev.lychgate.server.mirror;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses JSON into maps, lists, strings, booleans, {@link Numeral}s and {@link #NULL}. Depth and lengths are limited.
 */
final class JsonDocument {
    /** The JSON value {@code null}. */
    static final Object NULL = new Object() {
        @Override
        public String toString() {
            return "null";
        }
    };

    private static final int DEEPEST = 256;
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
            .build();

    private JsonDocument() {}

    /** A number in the notation of its document. {@link #isSame} compares values regardless of notation. */
    record Numeral(String text) {
        /**
         * The maximum length of a number whose value is computed, in characters. The computation time grows with the
         * square of the length.
         */
        private static final int LONGEST = 1000;

        boolean isSame(Numeral other) {
            if (text.equals(other.text)) {
                return true;
            }
            if (text.length() > LONGEST || other.text.length() > LONGEST) {
                return false;
            }
            try {
                return new BigDecimal(text).compareTo(new BigDecimal(other.text)) == 0;
            } catch (ArithmeticException | NumberFormatException e) {
                // An exponent is too large to compute the value. The texts differ, so the numbers are treated as
                // different.
                return false;
            }
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * Parses a document of exactly one value.
     *
     * @return null if the document is malformed, is nested too deeply, or contains no value or several values
     */
    static @Nullable Object parse(byte[] bytes) {
        try (JsonParser json = FACTORY.createParser(bytes)) {
            @Nullable JsonToken first = json.nextToken();
            Object value = first == null ? null : read(json, first);
            return json.nextToken() == null ? value : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static Object read(JsonParser json, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> {
                Map<String, Object> members = new LinkedHashMap<>();
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    String name = json.currentName();
                    members.put(name, read(json, json.nextToken()));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<Object> items = new ArrayList<>();
                for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
                    items.add(read(json, next));
                }
                yield items;
            }
            case VALUE_STRING -> json.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Numeral(json.getText());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> NULL;
        };
    }
}
