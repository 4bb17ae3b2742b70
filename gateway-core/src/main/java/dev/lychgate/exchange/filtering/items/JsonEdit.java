package dev.lychgate.exchange.filtering.items;

import dev.lychgate.filter.JsonItem;
import dev.lychgate.http.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A JSON value and the changes that an action makes to it. */
final class JsonEdit extends Edits<String> implements JsonItem {
    private @Nullable Object value;

    private JsonEdit(@Nullable Object value) {
        this.value = value;
    }

    /**
     * Passes a value to {@code action}.
     *
     * @param index the index of the value in the body, from 1
     * @return the values to send, as JSON; null if the gateway sends this value alone and unchanged
     */
    static @Nullable List<String> apply(ItemLimit limit, long index, String json, Consumer<? super JsonItem> action) {
        JsonEdit item = new JsonEdit(read(limit, index, json));
        Object before = item.value;
        action.accept(item);
        boolean replaced = item.value != before;
        // The action may have changed the map or list in place. Parsing the text a second time is cheaper than copying
        // each map in advance.
        boolean inside = before instanceof Map || before instanceof List;
        boolean changed = replaced || (inside && !Objects.equals(before, Json.read(json)));
        return item.sent(changed ? Json.write(item.value) : json.strip(), changed);
    }

    /**
     * Decodes a value.
     *
     * @param index the index of the value in the body, from 1
     */
    static String text(ItemLimit limit, long index, byte[] bytes, int from, int to) {
        try {
            return Json.text(bytes, from, to);
        } catch (IllegalArgumentException e) {
            throw limit.malformed(e.getMessage() + ", in value " + index);
        }
    }

    private static @Nullable Object read(ItemLimit limit, long index, String json) {
        try {
            return Json.read(json);
        } catch (IllegalArgumentException e) {
            throw limit.malformed(e.getMessage() + ", in value " + index);
        }
    }

    @Override
    public @Nullable Object getValue() {
        return value;
    }

    @Override
    public void setValue(@Nullable Object value) {
        this.value = value;
    }

    @Override
    public void insertBefore(@Nullable Object value) {
        before(Json.write(value));
    }

    @Override
    public void insertAfter(@Nullable Object value) {
        after(Json.write(value));
    }
}
