package dev.lychgate.exchange.filtering.items;

import dev.lychgate.filter.JsonItem;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Passes JSON values, one per line, to an action. Blank lines stay unchanged. */
final class JsonLines extends LineItems {
    private final Consumer<? super JsonItem> action;
    private long index;

    JsonLines(ItemLimit limit, Consumer<? super JsonItem> action) {
        super(limit, false);
        this.action = action;
    }

    @Override
    String text(byte[] bytes, int from, int to) {
        return JsonEdit.text(limit, index + 1, bytes, from, to);
    }

    @Override
    @Nullable
    String rewrite(String text, String end) {
        if (text.isBlank()) {
            return null;
        }
        List<String> sent = JsonEdit.apply(limit, ++index, text, action);
        return sent == null ? null : Edits.joined(sent, end);
    }
}
