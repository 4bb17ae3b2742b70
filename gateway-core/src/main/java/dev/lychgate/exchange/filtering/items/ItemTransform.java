package dev.lychgate.exchange.filtering.items;

import dev.lychgate.filter.BodyTransform;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Splits a body into items. It passes an item on in the call that completes it and holds only the incomplete item. The result
 * does not depend on the boundaries of chunks.
 */
abstract class ItemTransform implements BodyTransform {
    private static final byte[] NOTHING = {};
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
    /** Below it, the bytes of an incomplete item do not count against the memory budget. */
    private static final int UNCOUNTED = 4096;

    final ItemLimit limit;
    private byte[] held = NOTHING;
    private int length;
    /** Bytes of {@link #held} that {@link #itemEnd} has seen. */
    private int scanned;

    private boolean begun;

    ItemTransform(ItemLimit limit) {
        this.limit = limit;
    }

    /**
     * Continues to search for the end of the item.
     *
     * @param from the first byte that it has not seen
     * @return the index after the last byte of the item; -1 if the item is incomplete, and all bytes before {@code to} are seen
     */
    abstract int itemEnd(byte[] bytes, int from, int to);

    /** Writes the item, changed or not, to {@code out}. */
    abstract void item(byte[] bytes, int from, int to, ByteArrayOutputStream out);

    /** Writes the bytes at the end of the body that are no complete item. */
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
    public final byte[] end() {
        return pass(true);
    }

    private byte[] pass(boolean ended) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(length);
        int at = begun ? 0 : afterMark(ended, out);
        scanned = Math.max(scanned, at);
        while (begun && at < length) {
            int end = itemEnd(held, scanned, length);
            if (end < 0) {
                break;
            }
            limit.require(end - at);
            item(held, at, end, out);
            at = end;
            scanned = end;
        }
        limit.require(length - at);
        if (ended) {
            rest(held, at, length, out);
            at = length;
        }
        scanned = begun ? length - at : 0;
        hold(at);
        return out.toByteArray();
    }

    /** Passes a byte order mark on, which belongs to no item. */
    private int afterMark(boolean ended, ByteArrayOutputStream out) {
        int same = Arrays.mismatch(held, 0, Math.min(3, length), BYTE_ORDER_MARK, 0, 3);
        begun = same < 0 || same < length || ended;
        if (same >= 0) {
            return 0;
        }
        out.write(held, 0, 3);
        return 3;
    }

    private void hold(int from) {
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
        length = 0;
    }
}
