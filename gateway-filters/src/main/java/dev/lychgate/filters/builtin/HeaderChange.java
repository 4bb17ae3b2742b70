package dev.lychgate.filters.builtin;

import dev.lychgate.filter.Headers;
import java.util.List;

/** What is done to the fields of a head. */
sealed interface HeaderChange {
    void apply(Headers headers);

    /** The field it is about, as it was written. */
    String field();

    /** Takes the place of all fields of that name. */
    record Set(String field, String value) implements HeaderChange {
        @Override
        public void apply(Headers headers) {
            headers.set(field, value);
        }
    }

    /** One more field, behind those of that name. */
    record Add(String field, String value) implements HeaderChange {
        @Override
        public void apply(Headers headers) {
            headers.add(field, value);
        }
    }

    /** None of that name is left. */
    record Remove(String field) implements HeaderChange {
        @Override
        public void apply(Headers headers) {
            headers.remove(field);
        }
    }

    /** The values go on under another name, in place of those that were there; nothing happens if there are none. */
    record Rename(String field, String to) implements HeaderChange {
        @Override
        public void apply(Headers headers) {
            List<String> values = headers.getAll(field);
            if (!values.isEmpty()) {
                headers.remove(field);
                headers.remove(to);
                values.forEach(value -> headers.add(to, value));
            }
        }
    }

    static HeaderChange set(Settings settings) {
        return new Set(name(settings), value(settings));
    }

    static HeaderChange add(Settings settings) {
        return new Add(name(settings), value(settings));
    }

    static HeaderChange remove(Settings settings) {
        return new Remove(name(settings));
    }

    static HeaderChange rename(Settings settings) {
        return new Rename(name(settings), Builtin.fieldName("to", settings.text("to")));
    }

    private static String name(Settings settings) {
        return Builtin.fieldName("name", settings.text("name"));
    }

    private static String value(Settings settings) {
        return Builtin.fieldValue("value", settings.text("value"));
    }
}
