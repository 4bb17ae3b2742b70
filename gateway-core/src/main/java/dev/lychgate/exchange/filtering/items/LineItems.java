package dev.lychgate.exchange.filtering.items;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Splits a body into items that end with a line break or with a blank line. A line break is CR, LF or CRLF. An item
 * that ends with CR is complete immediately. An LF that follows this CR is sent after an unchanged item, and dropped
 * after a changed or dropped item.
 */
abstract class LineItems extends ItemTransform {
    private final boolean blocks;
    private boolean afterReturn;
    private boolean inItem;
    private boolean inLine;
    /** Whether the current item is nothing but the LF after an item that ended with CR. */
    private boolean feed;

    private boolean unchanged;

    /**
     * Creates a transform.
     *
     * @param blocks whether items end with a blank line instead of a line break
     */
    LineItems(ItemLimit limit, boolean blocks) {
        super(limit);
        this.blocks = blocks;
    }

    /**
     * Passes an item to the action. Returns the text to send in place of the item; null if the item is unchanged.
     *
     * @param text the text of the item; if items end with a blank line, the text includes the line breaks
     * @param end the line break for changed lines; empty if the body ends without a line break
     */
    abstract @Nullable String rewrite(String text, String end);

    /** Decodes an item. */
    String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    @Override
    final int itemEnd(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            boolean secondOfBreak = afterReturn && b == '\n';
            afterReturn = b == '\r';
            if (secondOfBreak) {
                feed = !inItem;
                if (feed) {
                    return i + 1;
                }
            } else if (b == '\r' || b == '\n') {
                boolean ends = !blocks || !inLine;
                inLine = false;
                inItem = !ends;
                if (ends) {
                    return i + 1;
                }
            } else {
                inLine = true;
                inItem = true;
            }
        }
        return -1;
    }

    @Override
    final void item(byte[] bytes, int from, int to, ByteArrayOutputStream out) {
        if (feed) {
            feed = false;
            if (unchanged) {
                out.write('\n');
            }
            return;
        }
        // After a CR, it is unknown whether an LF follows. A changed line therefore ends with CRLF, and a following LF
        // is dropped.
        String end = bytes[to - 1] == '\n' ? "\n" : "\r\n";
        write(bytes, from, to, blocks ? to : to - 1, end, out);
    }

    @Override
    final void rest(byte[] bytes, int from, int to, ByteArrayOutputStream out) {
        if (from < to) {
            write(bytes, from, to, to, "", out);
        }
    }

    private void write(byte[] bytes, int from, int to, int textTo, String end, ByteArrayOutputStream out) {
        String changed = rewrite(text(bytes, from, textTo), end);
        unchanged = changed == null;
        if (changed == null) {
            out.write(bytes, from, to - from);
        } else {
            out.writeBytes(changed.getBytes(StandardCharsets.UTF_8));
        }
    }
}
