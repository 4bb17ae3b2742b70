package dev.lychgate.codec;

import dev.lychgate.http.HttpBytes;
import io.netty.util.concurrent.FastThreadLocal;

/**
 * Where the parts of a head are, noted down by the {@link HeadScanner} while it looks at them, in bytes from the first one of
 * the start line. One per event loop, of the head that was scanned last.
 */
final class HeadIndex {
    /** Heads with more fields are not indexed. */
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

    /** The index of the calling thread; keep it in a field. */
    static HeadIndex ofThread() {
        return OF_THREAD.get();
    }

    /** A head begins. */
    void begin() {
        count = 0;
        first = 0;
        secondSpace = 0;
    }

    /** Notes where the start line begins. */
    void startLine(int at) {
        first = at;
    }

    /** Notes the blank behind the method, or behind the version of an answer. */
    void firstSpace(int at) {
        firstSpace = at;
    }

    /** Notes the blank behind the target, or behind the status. */
    void secondSpace(int at) {
        secondSpace = at;
    }

    /** Notes the CR of the start line. */
    void endOfStartLine(int at) {
        endOfStartLine = at;
    }

    /** Notes a field: where its line, its colon and its CR are. */
    void field(int line, int colon, int end) {
        if (count < MOST_FIELDS) {
            lines[count] = line;
            colons[count] = colon;
            ends[count] = end;
        }
        count++;
    }

    /** How many fields there are, though no more than {@link #MOST_FIELDS} are noted down. */
    int count() {
        return count;
    }

    int firstSpace() {
        return firstSpace - first;
    }

    /** Not positive if there was none: an answer may have no reason, and no blank before it. */
    int secondSpace() {
        return secondSpace - first;
    }

    int endOfStartLine() {
        return endOfStartLine - first;
    }

    /** Returns the parts of a field, packed into 16 bits each: its line and colon, and the value without the blanks around it. */
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

    /** Returns where the line begins of a field with these {@link #parts}. */
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
