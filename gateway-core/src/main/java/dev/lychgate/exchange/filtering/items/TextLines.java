package dev.lychgate.exchange.filtering.items;

import dev.lychgate.filter.TextLine;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Passes lines of text to an action. */
final class TextLines extends LineItems {
    private final Consumer<? super TextLine> action;

    TextLines(ItemLimit limit, Consumer<? super TextLine> action) {
        super(limit, false);
        this.action = action;
    }

    @Override
    @Nullable
    String rewrite(String text, String end) {
        Line line = new Line(text);
        action.accept(line);
        List<String> sent = line.sent(line.text, !line.text.equals(text));
        return sent == null ? null : Edits.joined(sent, end);
    }

    private static final class Line extends Edits<String> implements TextLine {
        private String text;

        Line(String text) {
            this.text = text;
        }

        @Override
        public String getText() {
            return text;
        }

        @Override
        public void setText(String text) {
            this.text = oneLine(text);
        }

        @Override
        public void insertBefore(String text) {
            before(oneLine(text));
        }

        @Override
        public void insertAfter(String text) {
            after(oneLine(text));
        }
    }

    /**
     * Returns {@code text}.
     *
     * @throws IllegalArgumentException if {@code text} contains a line break
     */
    static String oneLine(String text) {
        if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("the text contains a line break");
        }
        return text;
    }
}
