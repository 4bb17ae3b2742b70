package dev.lychgate.exchange.filtering.items;

import dev.lychgate.filter.JsonItem;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Splits a JSON document into values: the elements of the array if the document is an array, or else the document
 * itself. An item is an element with the preceding comma and white space.
 */
final class JsonDocument extends ItemTransform {
    private enum Kind {
        OPEN,
        ELEMENT,
        CLOSE,
        /** The bytes after the array. */
        TRAILER
    }

    private enum Place {
        BEFORE,
        /** The document is not an array, so its value ends with the body. */
        VALUE,
        BETWEEN_ELEMENTS,
        /** Within an object, an array or a string. The closing byte of this value ends the element. */
        ELEMENT,
        /** Within a number or a literal. The next delimiter ends the element. */
        WORD,
        AFTER
    }

    private final Consumer<? super JsonItem> action;
    private Place place = Place.BEFORE;
    /** The kind of the item that {@link #itemEnd} has found. */
    private Kind kind = Kind.OPEN;

    private int depth;
    private boolean inText;
    private boolean escaped;
    private long index;
    private boolean sent;

    JsonDocument(ItemLimit limit, Consumer<? super JsonItem> action) {
        super(limit);
        this.action = action;
    }

    @Override
    int itemEnd(byte[] bytes, int from, int to) {
        for (int i = from; i < to && place != Place.VALUE; i++) {
            byte b = bytes[i];
            switch (place) {
                case BEFORE -> {
                    if (b == '[') {
                        return found(Kind.OPEN, Place.BETWEEN_ELEMENTS, i + 1);
                    }
                    place = isBlank(b) ? Place.BEFORE : Place.VALUE;
                }
                case BETWEEN_ELEMENTS -> {
                    if (b == ']') {
                        return found(Kind.CLOSE, Place.AFTER, i + 1);
                    }
                    if (b != ',' && !isBlank(b)) {
                        begin(b);
                    }
                }
                case ELEMENT -> {
                    if (closes(b)) {
                        return found(Kind.ELEMENT, Place.BETWEEN_ELEMENTS, i + 1);
                    }
                }
                case WORD -> {
                    if (b == ',' || b == ']' || isBlank(b)) {
                        return found(Kind.ELEMENT, Place.BETWEEN_ELEMENTS, i);
                    }
                }
                case AFTER -> {
                    return found(Kind.TRAILER, Place.AFTER, to);
                }
                case VALUE -> {}
            }
        }
        return -1;
    }

    private int found(Kind found, Place then, int end) {
        kind = found;
        place = then;
        return end;
    }

    private void begin(byte first) {
        depth = first == '{' || first == '[' ? 1 : 0;
        inText = first == '"';
        place = inText || depth > 0 ? Place.ELEMENT : Place.WORD;
    }

    private boolean closes(byte b) {
        if (inText) {
            inText = escaped || b != '"';
            escaped = !escaped && b == '\\';
        } else if (b == '"') {
            inText = true;
        } else if (b == '{' || b == '[') {
            depth++;
        } else if (b == '}' || b == ']') {
            depth--;
        }
        return !inText && depth == 0;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }

    @Override
    void item(byte[] bytes, int from, int to, ByteArrayOutputStream out) {
        int value = from;
        int commas = 0;
        while (value < to && (bytes[value] == ',' || isBlank(bytes[value]))) {
            commas += bytes[value] == ',' ? 1 : 0;
            value++;
        }
        boolean element = kind == Kind.ELEMENT;
        if (commas != (element && index > 0 ? 1 : 0) || (kind == Kind.TRAILER && value < to)) {
            throw malformed();
        }
        if (element) {
            element(bytes, from, value, to, out);
        } else {
            out.write(bytes, from, to - from);
        }
    }

    private RuntimeException malformed() {
        return limit.malformed("malformed JSON after value " + index);
    }

    private void element(byte[] bytes, int from, int value, int to, ByteArrayOutputStream out) {
        List<String> changed = apply(bytes, value, to);
        if (changed == null || !changed.isEmpty()) {
            for (int i = from; i < value; i++) {
                // No comma precedes the first element that is sent.
                if (sent || bytes[i] != ',') {
                    out.write(bytes[i]);
                }
            }
            sent = true;
        }
        write(changed, ",", bytes, value, to, out);
    }

    private @Nullable List<String> apply(byte[] bytes, int from, int to) {
        String json = JsonEdit.text(limit, ++index, bytes, from, to);
        return JsonEdit.apply(limit, index, json, action);
    }

    private static void write(
            @Nullable List<String> changed,
            String separator,
            byte[] bytes,
            int from,
            int to,
            ByteArrayOutputStream out) {
        if (changed == null) {
            out.write(bytes, from, to - from);
        } else {
            out.writeBytes(String.join(separator, changed).getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    void rest(byte[] bytes, int from, int to, ByteArrayOutputStream out) {
        switch (place) {
            case BEFORE, AFTER -> out.write(bytes, from, to - from);
            case VALUE -> write(apply(bytes, from, to), "\n", bytes, from, to, out);
            case BETWEEN_ELEMENTS, ELEMENT, WORD -> throw malformed();
        }
    }
}
