package dev.lychgate.exchange.filtering.items;

import dev.lychgate.filter.ServerSentEvent;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes server-sent events to an action. Blocks without data, such as comments that keep a connection alive, stay
 * unchanged.
 */
final class Events extends LineItems {
    private final Consumer<? super ServerSentEvent> action;

    Events(ItemLimit limit, Consumer<? super ServerSentEvent> action) {
        super(limit, true);
        this.action = action;
    }

    @Override
    @Nullable
    String rewrite(String block, String end) {
        Event event = Event.parse(block);
        if (event == null) {
            return null;
        }
        action.accept(event);
        List<Event> sent = event.sent(event, event.isChanged());
        if (sent == null) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        String lineEnd = lineEnd(block);
        sent.forEach(each -> each.write(text, lineEnd));
        return text.toString();
    }

    /** Returns the first line break of a block. */
    private static String lineEnd(String block) {
        for (int i = 0; i < block.length(); i++) {
            char c = block.charAt(i);
            if (c == '\n') {
                return "\n";
            }
            if (c == '\r') {
                return i + 1 < block.length() && block.charAt(i + 1) == '\n' ? "\r\n" : "\r";
            }
        }
        return "\n";
    }
}
