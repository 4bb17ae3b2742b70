package dev.lychgate.codec;

import dev.lychgate.http.HttpBytes;
import io.netty.util.concurrent.FastThreadLocal;

/**
 * Positions of the parts of a head, in bytes from the beginning of the start line. The {@link HeadScanner} records the
 * positions. Each event loop has one index, which describes the head that was scanned last.
 */
final class HeadIndex {
    /** Maximum number of indexed fields. */
    static final int MOST_FIELDS = Long.SIZE;

    private static final FastThreadLocal<HeadIndex> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected HeadIndex initialValue() {
            return new HeadIndex();
        }
    };

    private final int[] lines = new int[MOST_FIELDS];
    private final int[] colons = new int[MOST_FIELDS];
    private final int[] ends = new int[MOST_FIELDS];
    private int count;
    private int first;
    private int firstSpace;
    private int secondSpace;
    private int endOfStartLine;

    /** Returns the index of the calling thread. Callers keep the index in a field. */
    static HeadIndex ofThread() {
        return OF_THREAD.get();
    }

    void begin() {
        count = 0;
        first = 0;
        secondSpace = 0;
    }

    void startLine(int at) {
        first = at;
    }

    /** Records the position of the space after the method of a request or after the version of a response. */
    void firstSpace(int at) {
        firstSpace = at;
    }

    /** Records the position of the space after the target of a request or after the status of a response. */
    void secondSpace(int at) {
        secondSpace = at;
    }

    void endOfStartLine(int at) {
        endOfStartLine = at;
    }

    /** Records a field: the positions of its line, colon and CR. */
    void field(int line, int colon, int end) {
        if (count < MOST_FIELDS) {
            lines[count] = line;
            colons[count] = colon;
            ends[count] = end;
        }
        count++;
    }

    /** Returns the number of fields, of which at most {@link #MOST_FIELDS} are indexed. */
    int count() {
        return count;
    }

    int firstSpace() {
        return firstSpace - first;
    }

    /**
     * Returns the position of the space after the target or the status. The position is zero or negative for a response
     * that has neither a reason phrase nor the space before it.
     */
    int secondSpace() {
        return secondSpace - first;
    }

    int endOfStartLine() {
        return endOfStartLine - first;
    }

    /**
     * Returns four positions with 16 bits each: the positions of the field's line and colon, and of the start and the
     * end of its trimmed value.
     */
    long parts(int field, byte[] head) {
        int from = colons[field] - first + 1;
        int to = ends[field] - first;
        while (from < to && HttpBytes.isBlank(head[from])) {
            from++;
        }
        while (to > from && HttpBytes.isBlank(head[to - 1])) {
            to--;
        }
        return (long) (lines[field] - first) << 48 | (long) (colons[field] - first) << 32 | (long) from << 16 | to;
    }

    /** Returns the position of the field's line, given the result of {@link #parts}. */
    static int line(long parts) {
        return (int) (parts >>> 48);
    }

    static int colon(long parts) {
        return (int) (parts >>> 32) & 0xffff;
    }

    static int valueStart(long parts) {
        return (int) (parts >>> 16) & 0xffff;
    }

    static int valueEnd(long parts) {
        return (int) parts & 0xffff;
    }
}
