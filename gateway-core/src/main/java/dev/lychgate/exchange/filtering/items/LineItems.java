package dev.lychgate.exchange.filtering.items;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Items that end with a line, or with a blank line. A line ends with CR, LF or CRLF. An item that ends with a CR is complete at
 * once: a LF after it follows the item, unless the item was changed or dropped.
 */
abstract class LineItems extends ItemTransform {
    private final boolean blocks;
    private boolean afterReturn;
    private boolean inItem;
    private boolean inLine;
    /** Whether the item is the LF after an item that ended with CR. */
    private boolean feed;

    private boolean unchanged;

    /** @param blocks whether an item ends with a blank line */
    LineItems(ItemLimit limit, boolean blocks) {
        super(limit);
        this.blocks = blocks;
    }

    /**
     * Returns the text to send in place of the item; null if it is unchanged.
     *
     * @param text without the last line break, unless it is a block
     * @param end a line break as it ends lines of this body; empty if the body ends without one
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
        // Whether a LF follows a CR is not known yet. Changed lines end with CRLF then, and that LF is dropped.
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
