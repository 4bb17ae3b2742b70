package dev.lychgate.codec;

import dev.lychgate.http.HttpBytes;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Fields as they were received: the bytes of the head, where in them each field is, and what has been taken off or added since.
 * Names and values become text when somebody asks for them, and what nobody has touched is sent on as it came.
 *
 * <p>To its users it is like Netty's DefaultHttpHeaders without validation: names match without regard to case, fields keep their order, and one
 * that is set moves to the end.
 */
final class FlatHeaders extends TextHeaders {
    /** Where something is in a longer head takes more than 16 bits. */
    static final int LONGEST_HEAD = 0xffff;

    private static final int COLON_AND_SPACE = 2;

    private final byte[] head;
    /** By field: where its line begins, where its colon is, where its value begins and ends, 16 bits each. */
    private final long[] fields;
    /** Bit by bit, which of these are gone. */
    private long gone;
    /** Names and values in turn of what was added; null in both places where that is gone, too. */
    private @Nullable CharSequence[] added = NONE;

    private int addedLength;
    private int size;
    /** A bit for each name that there is or was, see {@link #bit}. */
    private long names;

    /** The value that was asked for last, and whose it is. */
    private @Nullable String known;

    private int knownField;

    private static final @Nullable CharSequence[] NONE = {};

    private FlatHeaders(byte[] head, long[] fields) {
        this.head = head;
        this.fields = fields;
    }

    /**
     * Reads the fields of a head.
     *
     * @param head the bytes of the head, at most {@link #LONGEST_HEAD}, which belong to the fields from here on
     * @param index of them, with at most {@link HeadIndex#MOST_FIELDS} fields
     */
    static FlatHeaders of(byte[] head, HeadIndex index) {
        long[] fields = new long[index.count()];
        FlatHeaders headers = new FlatHeaders(head, fields);
        for (int i = 0; i < fields.length; i++) {
            int line = index.line(i);
            int colon = index.colon(i);
            int from = colon + 1;
            int to = index.end(i);
            while (from < to && FieldLines.isBlank(head[from])) {
                from++;
            }
            while (to > from && FieldLines.isBlank(head[to - 1])) {
                to--;
            }
            fields[i] = (long) line << 48 | (long) colon << 32 | (long) from << 16 | to;
            headers.names |= bit(head[line], head[colon - 1], colon - line);
        }
        headers.size = fields.length;
        return headers;
    }

    private FlatHeaders(FlatHeaders other) {
        this(other.head, other.fields);
        gone = other.gone;
        added = other.added.clone();
        addedLength = other.addedLength;
        size = other.size;
        names = other.names;
    }

    // ---- finding

    /** What most names that differ have different: a question for one that is not there is nearly always answered by this. */
    private static long bit(int first, int last, int length) {
        return 1L << ((first & 0x1f) * 5 + (last & 0x1f) * 3 + length);
    }

    private static long bit(CharSequence name) {
        int length = name.length();
        return length == 0 ? 0 : bit(name.charAt(0), name.charAt(length - 1), length);
    }

    private boolean isImpossible(CharSequence name) {
        return (names & bit(name)) == 0;
    }

    private static int line(long field) {
        return (int) (field >>> 48);
    }

    private static int colon(long field) {
        return (int) (field >>> 32) & 0xffff;
    }

    private static int valueStart(long field) {
        return (int) (field >>> 16) & 0xffff;
    }

    private static int valueEnd(long field) {
        return (int) field & 0xffff;
    }

    private boolean isGone(int field) {
        return (gone >>> field & 1) != 0;
    }

    private boolean isNamed(long field, CharSequence name) {
        int from = line(field);
        int length = colon(field) - from;
        if (length != name.length()) {
            return false;
        }
        if (name instanceof AsciiString ascii) {
            return isNamed(from, length, ascii.array(), ascii.arrayOffset());
        }
        for (int i = 0; i < length; i++) {
            if (HttpBytes.lower(head[from + i]) != HttpBytes.lower(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** As all names are that we know ourselves: with the class known, several times faster. */
    private boolean isNamed(int from, int length, byte[] name, int offset) {
        for (int i = 0; i < length; i++) {
            byte here = head[from + i];
            byte there = name[offset + i];
            if (here != there && HttpBytes.lower(here) != HttpBytes.lower(there)) {
                return false;
            }
        }
        return true;
    }

    /** The next field of that name from {@code from} on among those received; negative if there is none. */
    private int received(CharSequence name, int from) {
        for (int i = from; i < fields.length; i++) {
            if (!isGone(i) && isNamed(fields[i], name)) {
                return i;
            }
        }
        return -1;
    }

    /** The place of the next name that is that one, among those added; negative if there is none. */
    private int added(CharSequence name, int from) {
        for (int i = from; i < addedLength; i += 2) {
            CharSequence there = added[i];
            if (there != null && AsciiString.contentEqualsIgnoreCase(there, name)) {
                return i;
            }
        }
        return -1;
    }

    private String text(int from, int to) {
        return new String(head, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** The value as text. Whoever asks for one tends to ask again, to see whether there is another one beside it. */
    private String value(int field) {
        String text = known;
        if (text == null || knownField != field) {
            text = text(valueStart(fields[field]), valueEnd(fields[field]));
            known = text;
            knownField = field;
        }
        return text;
    }

    private CharSequence addedText(int at) {
        CharSequence text = added[at];
        if (text == null) {
            throw new IllegalStateException("gone");
        }
        return text;
    }

    @Override
    public @Nullable String get(CharSequence name) {
        if (isImpossible(name)) {
            return null;
        }
        int field = received(name, 0);
        if (field >= 0) {
            return value(field);
        }
        int at = added(name, 0);
        return at < 0 ? null : addedText(at + 1).toString();
    }

    @Override
    public List<String> getAll(CharSequence name) {
        if (isImpossible(name)) {
            return List.of();
        }
        int first = received(name, 0);
        if (first >= 0 && received(name, first + 1) < 0 && added(name, 0) < 0) {
            return List.of(value(first));
        }
        List<String> all = new ArrayList<>(2);
        for (int i = first; i >= 0; i = received(name, i + 1)) {
            all.add(value(i));
        }
        for (int i = added(name, 0); i >= 0; i = added(name, i + 2)) {
            all.add(addedText(i + 1).toString());
        }
        return all;
    }

    @Override
    public boolean contains(CharSequence name) {
        return !isImpossible(name) && (received(name, 0) >= 0 || added(name, 0) >= 0);
    }

    @Override
    public boolean isEmpty() {
        return size == 0;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Iterator<Map.Entry<CharSequence, CharSequence>> iteratorCharSequence() {
        return new Fields();
    }

    /** All fields in their order; it goes on with what there is when it comes to it. */
    private final class Fields implements Iterator<Map.Entry<CharSequence, CharSequence>> {
        private int next;

        @Override
        public boolean hasNext() {
            while (next < fields.length && isGone(next)) {
                next++;
            }
            while (next >= fields.length && next < end() && added[place()] == null) {
                next++;
            }
            return next < end();
        }

        private int end() {
            return fields.length + addedLength / 2;
        }

        private int place() {
            return (next - fields.length) * 2;
        }

        @Override
        public Map.Entry<CharSequence, CharSequence> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            if (next < fields.length) {
                long field = fields[next++];
                return new SimpleImmutableEntry<>(
                        ascii(line(field), colon(field)), ascii(valueStart(field), valueEnd(field)));
            }
            int at = place();
            next++;
            return new SimpleImmutableEntry<>(addedText(at), addedText(at + 1));
        }

        private AsciiString ascii(int from, int to) {
            return new AsciiString(head, from, to - from, false);
        }
    }

    // ---- changing

    @Override
    public HttpHeaders add(CharSequence name, Object value) {
        CharSequence text = text(value);
        if (addedLength == added.length) {
            @Nullable CharSequence[] more = new CharSequence[Math.max(16, addedLength * 2)];
            System.arraycopy(added, 0, more, 0, addedLength);
            added = more;
        }
        added[addedLength] = name;
        added[addedLength + 1] = text;
        addedLength += 2;
        size++;
        names |= bit(name);
        return this;
    }

    @Override
    public HttpHeaders set(CharSequence name, Object value) {
        CharSequence text = text(value);
        remove(name);
        return add(name, text);
    }

    @Override
    public HttpHeaders remove(CharSequence name) {
        if (isImpossible(name)) {
            return this;
        }
        for (int i = received(name, 0); i >= 0; i = received(name, i + 1)) {
            gone |= 1L << i;
            size--;
        }
        for (int i = added(name, 0); i >= 0; i = added(name, i + 2)) {
            added[i] = null;
            added[i + 1] = null;
            size--;
        }
        return this;
    }

    @Override
    public HttpHeaders clear() {
        gone = -1;
        added = NONE;
        addedLength = 0;
        size = 0;
        names = 0;
        return this;
    }

    @Override
    public HttpHeaders copy() {
        return new FlatHeaders(this);
    }

    // ---- sending on

    /** Writes all fields: neighbours that came as we would write them in one go, without looking into them. */
    void writeTo(HeadBuffer out) {
        int run = 0;
        int end = 0;
        for (int i = 0; i < fields.length; i++) {
            long field = fields[i];
            if (isGone(i)) {
                continue;
            }
            if (!isAsWritten(field)) {
                out.add(head, run, end - run);
                run = 0;
                end = 0;
                out.add(head, line(field), colon(field) - line(field));
                out.add(':').add(' ');
                out.add(head, valueStart(field), valueEnd(field) - valueStart(field));
                out.endLine();
            } else if (line(field) == end) {
                end = valueEnd(field) + 2;
            } else {
                out.add(head, run, end - run);
                run = line(field);
                end = valueEnd(field) + 2;
            }
        }
        out.add(head, run, end - run);
        for (int i = 0; i < addedLength; i += 2) {
            CharSequence name = added[i];
            if (name != null) {
                out.field(name, addedText(i + 1));
            }
        }
    }

    /** Whether one blank stands before the value, and none behind it. */
    private boolean isAsWritten(long field) {
        return valueStart(field) == colon(field) + COLON_AND_SPACE
                && head[colon(field) + 1] == ' '
                && head[valueEnd(field)] == '\r';
    }
}
