package dev.lychgate.exchange.filtering.items;

import dev.lychgate.filter.BodyTransform;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Splits a body into items. Each call delivers a limited number of complete items. When all complete items are
 * delivered, the transform holds nothing but the bytes of the incomplete item. The result does not depend on the
 * boundaries of the chunks. The output of a call is empty if the action drops all items of the call.
 */
public abstract class ItemTransform implements BodyTransform {
    private static final byte[] NOTHING = {};
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
    /** The maximum number of held bytes that do not count against the memory budget. */
    private static final int UNCOUNTED = 4096;
    /**
     * The maximum number of items per call. Without this limit, the action could block the event loop if a client sends
     * many small items.
     */
    private static final int ITEMS_PER_CALL = 32;
    /** The initial capacity of a call's output, in bytes. */
    private static final int CAPACITY = 4096;

    final ItemLimit limit;
    private byte[] held = NOTHING;
    /** The index of the first unprocessed byte in {@link #held}. */
    private int start;

    private int length;
    /** The number of bytes of {@link #held} that {@link #itemEnd} has scanned. */
    private int scanned;

    private boolean begun;
    private boolean more;

    ItemTransform(ItemLimit limit) {
        this.limit = limit;
    }

    /**
     * Continues the search for the end of the current item.
     *
     * @param from the index of the first unscanned byte
     * @param to the index after the last received byte
     * @return the index after the last byte of the item; -1 if the item is incomplete. If the result is -1, all bytes
     *     before {@code to} count as scanned
     */
    abstract int itemEnd(byte[] bytes, int from, int to);

    /** Passes the item to the action, and writes the result to {@code out}. */
    abstract void item(byte[] bytes, int from, int to, ByteArrayOutputStream out);

    /** Handles and writes the rest of the body, which is not a complete item. */
    abstract void rest(byte[] bytes, int from, int to, ByteArrayOutputStream out);

    @Override
    public final byte[] piece(byte[] piece) {
        if (length == 0) {
            held = piece;
        } else {
            if (held.length - length < piece.length) {
                held = Arrays.copyOf(held, Math.max(2 * length, length + piece.length));
            }
            System.arraycopy(piece, 0, held, length, piece.length);
        }
        length += piece.length;
        return pass(false);
    }

    @Override
    public final boolean hasMore() {
        return more;
    }

    @Override
    public final byte[] more() {
        return pass(false);
    }

    @Override
    public final byte[] end() {
        return pass(true);
    }

    private byte[] pass(boolean ended) {
        // The buffer is not allocated until there is output. Otherwise, each small chunk of a long item would cause the
        // allocation of a buffer of the item's length.
        ByteArrayOutputStream out = null;
        int at = begun ? start : afterMark(ended);
        if (at > start) {
            out = new ByteArrayOutputStream(CAPACITY);
            out.write(held, 0, at);
        }
        scanned = Math.max(scanned, at);
        more = false;
        for (int left = ITEMS_PER_CALL; begun && at < length; left--) {
            if (left <= 0 && !ended) {
                more = true;
                start = at;
                return out == null ? NOTHING : out.toByteArray();
            }
            int end = itemEnd(held, scanned, length);
            if (end < 0) {
                break;
            }
            limit.require(end - at);
            out = out == null ? new ByteArrayOutputStream(Math.min(length - at, CAPACITY)) : out;
            item(held, at, end, out);
            at = end;
            scanned = end;
        }
        limit.require(length - at);
        if (ended) {
            out = out == null ? new ByteArrayOutputStream(length - at) : out;
            rest(held, at, length, out);
            at = length;
        }
        scanned = begun ? length - at : 0;
        hold(at);
        return out == null ? NOTHING : out.toByteArray();
    }

    /**
     * Returns the length of the byte order mark at the beginning of the body; 0 if there is no mark. The mark is sent
     * unchanged and belongs to no item.
     */
    private int afterMark(boolean ended) {
        int same = Arrays.mismatch(held, 0, Math.min(3, length), BYTE_ORDER_MARK, 0, 3);
        begun = same < 0 || same < length || ended;
        return same < 0 ? 3 : 0;
    }

    private void hold(int from) {
        start = 0;
        if (from == length) {
            held = NOTHING;
        } else if (from > 0) {
            held = Arrays.copyOfRange(held, from, length);
        }
        length -= from;
    }

    @Override
    public final long heldMemory() {
        return held.length > UNCOUNTED ? held.length : 0;
    }

    @Override
    public final void close() {
        held = NOTHING;
        start = 0;
        length = 0;
        more = false;
    }
}
