package dev.lychgate.exchange.filtering.items;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The changes that an action makes to one item. */
abstract class Edits<T> {
    private final List<T> before = new ArrayList<>(0);
    private final List<T> after = new ArrayList<>(0);
    private boolean dropped;

    public final void drop() {
        dropped = true;
    }

    final T before(T item) {
        before.add(item);
        return item;
    }

    final T after(T item) {
        after.add(item);
        return item;
    }

    /** Returns the items to send in place of this item; null if the gateway sends this item alone and unchanged. */
    final @Nullable List<T> sent(T own, boolean changed) {
        if (!changed && !dropped && before.isEmpty() && after.isEmpty()) {
            return null;
        }
        List<T> sent = new ArrayList<>(before);
        if (!dropped) {
            sent.add(own);
        }
        sent.addAll(after);
        return sent;
    }

    /**
     * Joins lines.
     *
     * @param end the line break after each line; empty if the last line has no line break
     */
    static String joined(List<String> lines, String end) {
        return end.isEmpty() || lines.isEmpty() ? String.join("\n", lines) : String.join(end, lines) + end;
    }
}
