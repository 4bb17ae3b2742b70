package dev.lychgate.server.recording;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object from a file that an attacker may have written. The depth, the lengths and the number of values are
 * bounded, and a member that does not have the expected type is refused.
 */
final class JsonTree {
    private static final int DEEPEST = 32;
    private static final int LONGEST_NAME = 16_384;
    private static final int LONGEST_TEXT = 64 << 20;
    private static final int MOST_VALUES = 1_000_000;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNameLength(LONGEST_NAME)
                    .maxStringLength(LONGEST_TEXT)
                    .maxNumberLength(32)
                    .build())
            .build();

    private final Map<?, ?> members;

    private JsonTree(Map<?, ?> members) {
        this.members = members;
    }

    /**
     * Reads one JSON object.
     *
     * @throws RecordingException if the text is anything else
     */
    static JsonTree read(byte[] text) throws RecordingException {
        try (JsonParser json = FACTORY.createParser(text)) {
            Object value = new Reading(json).value(json.nextToken());
            if (json.nextToken() != null) {
                throw new RecordingException("further text follows the JSON object");
            }
            return of(value);
        } catch (RecordingException e) {
            throw e;
        } catch (IOException e) {
            throw new RecordingException("malformed JSON: " + firstLine(e));
        }
    }

    private static String firstLine(IOException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static JsonTree of(@Nullable Object value) throws RecordingException {
        if (!(value instanceof Map<?, ?> map)) {
            throw new RecordingException("not a JSON object");
        }
        return new JsonTree(map);
    }

    /** Reads the values of one text. */
    private static final class Reading {
        private final JsonParser json;
        private int values;

        Reading(JsonParser json) {
            this.json = json;
        }

        @Nullable
        Object value(@Nullable JsonToken token) throws IOException {
            if (token == null) {
                throw new RecordingException("the text ends within JSON");
            }
            if (++values > MOST_VALUES) {
                throw new RecordingException("more than " + MOST_VALUES + " JSON values");
            }
            return switch (token) {
                case START_OBJECT -> object();
                case START_ARRAY -> array();
                case VALUE_STRING -> json.getText();
                case VALUE_NUMBER_INT -> json.getLongValue();
                case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
                case VALUE_TRUE -> true;
                case VALUE_FALSE -> false;
                default -> null;
            };
        }

        private Map<String, @Nullable Object> object() throws IOException {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                members.put(name, value(json.nextToken()));
            }
            return members;
        }

        private List<@Nullable Object> array() throws IOException {
            List<@Nullable Object> items = new ArrayList<>();
            for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
                items.add(value(next));
            }
            return items;
        }
    }

    boolean has(String name) {
        return members.get(name) != null;
    }

    Set<String> names() {
        Set<String> names = new java.util.LinkedHashSet<>();
        members.keySet().forEach(name -> names.add(String.valueOf(name)));
        return names;
    }

    String text(String name) throws RecordingException {
        if (members.get(name) instanceof String text) {
            return text;
        }
        throw expected(name, "a string");
    }

    @Nullable
    String optional(String name) throws RecordingException {
        return has(name) ? text(name) : null;
    }

    boolean flag(String name) throws RecordingException {
        Object value = members.get(name);
        if (value == null || value instanceof Boolean) {
            return Boolean.TRUE.equals(value);
        }
        throw expected(name, "true or false");
    }

    /** Returns the number in the member {@code name}, truncated to an integer. */
    long number(String name) throws RecordingException {
        if (members.get(name) instanceof Number number) {
            return number.longValue();
        }
        throw expected(name, "a number");
    }

    double decimal(String name) throws RecordingException {
        if (members.get(name) instanceof Number number && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw expected(name, "a number");
    }

    long numberWithin(String name, long least, long most) throws RecordingException {
        long number = number(name);
        if (number < least || number > most) {
            throw expected(name, least + " to " + most);
        }
        return number;
    }

    /**
     * Returns a number that the file contains as a string. Large numbers are written as strings, because many JSON
     * parsers round numbers of more than 53 bits.
     */
    long longText(String name) throws RecordingException {
        try {
            return Long.parseLong(text(name));
        } catch (NumberFormatException e) {
            throw expected(name, "a whole number in a string");
        }
    }

    JsonTree object(String name) throws RecordingException {
        if (members.get(name) instanceof Map<?, ?> map) {
            return new JsonTree(map);
        }
        throw expected(name, "an object");
    }

    /** Returns the objects of an array; an empty list if the member is missing. */
    List<JsonTree> objects(String name) throws RecordingException {
        List<JsonTree> all = new ArrayList<>();
        for (Object item : array(name)) {
            if (!(item instanceof Map<?, ?> map)) {
                throw expected(name, "an array of objects");
            }
            all.add(new JsonTree(map));
        }
        return all;
    }

    /** Returns the strings of an array; an empty list if the member is missing. */
    List<String> texts(String name) throws RecordingException {
        List<String> all = new ArrayList<>();
        for (Object item : array(name)) {
            if (!(item instanceof String text)) {
                throw expected(name, "an array of strings");
            }
            all.add(text);
        }
        return all;
    }

    /** Returns the elements of an array of string pairs; an empty list if the member is missing. */
    List<List<String>> pairs(String name) throws RecordingException {
        List<List<String>> all = new ArrayList<>();
        for (Object item : array(name)) {
            if (!(item instanceof List<?> pair)
                    || pair.size() != 2
                    || !(pair.get(0) instanceof String first)
                    || !(pair.get(1) instanceof String second)) {
                throw expected(name, "an array of pairs of strings");
            }
            all.add(List.of(first, second));
        }
        return all;
    }

    private List<?> array(String name) throws RecordingException {
        Object value = members.get(name);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list) {
            return list;
        }
        throw expected(name, "an array");
    }

    private static RecordingException expected(String name, String what) {
        return new RecordingException(name + " is missing or has another type (expected: " + what + ")");
    }
}
