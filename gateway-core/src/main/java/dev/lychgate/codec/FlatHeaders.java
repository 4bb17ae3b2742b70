package dev.lychgate.codec;

import static dev.lychgate.codec.HeadIndex.colon;
import static dev.lychgate.codec.HeadIndex.line;
import static dev.lychgate.codec.HeadIndex.valueEnd;
import static dev.lychgate.codec.HeadIndex.valueStart;

import dev.lychgate.http.HttpBytes;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Headers that are backed by the received bytes of a head. This class stores the positions of the fields, and the
 * changes to them. Names and values are converted to text on demand, and unchanged fields are forwarded as received.
 *
 * <p>Behaves like Netty's DefaultHttpHeaders without validation: names are case-insensitive, fields keep their order,
 * and a field that is set moves to the end.
 */
final class FlatHeaders extends TextHeaders {
    /** Maximum head length, because positions have 16 bits. */
    static final int LONGEST_HEAD = 0xffff;

    private static final @Nullable CharSequence[] NONE = {};

    private final byte[] head;
    /** The {@link HeadIndex#parts} of each field. */
    private final long[] fields;
    /** Bit mask of the removed fields. */
    private long gone;
    /** Alternating names and values of the added fields. Name and value of a removed field are null. */
    private @Nullable CharSequence[] added = NONE;

    private int addedLength;
    private int size;
    /** Bloom filter with one bit for each name that is or was present, see {@link #bit}. */
    private long names;

    /** Cache of the value that was read last; {@link #knownField} is its field. */
    private @Nullable String known;

    private int knownField;

    private FlatHeaders(byte[] head, long[] fields) {
        this.head = head;
        this.fields = fields;
    }

    /**
     * Indexes the fields of a head.
     *
     * @param head bytes of the head, at most {@link #LONGEST_HEAD}; the headers own the array
     * @param index index of the head, with at most {@link HeadIndex#MOST_FIELDS} fields
     */
    static FlatHeaders of(byte[] head, HeadIndex index) {
        long[] fields = new long[index.count()];
        FlatHeaders headers = new FlatHeaders(head, fields);
        for (int i = 0; i < fields.length; i++) {
            fields[i] = index.parts(i, head);
            int line = line(fields[i]);
            int colon = colon(fields[i]);
            headers.names |= bit(head[line], head[colon - 1], colon - line);
        }
        headers.size = fields.length;
        return headers;
    }

    // ---- lookup

    /**
     * Returns the bit of a name in {@link #names}. Most names have different bits, so most lookups of absent names need
     * only this bit.
     */
    private static long bit(int first, int last, int length) {
        return 1L << ((first & 0x1f) * 5 + (last & 0x1f) * 3 + length);
    }

    private static long bit(CharSequence name) {
        int length = name.length();
        if (length == 0) {
            return 0;
        }
        if (name instanceof AsciiString ascii) {
            // The bytes are read directly, because each charAt checks bounds that the array checks again.
            byte[] bytes = ascii.array();
            int first = ascii.arrayOffset();
            return bit(bytes[first], bytes[first + length - 1], length);
        }
        return bit(name.charAt(0), name.charAt(length - 1), length);
    }

    private boolean isNamed(long field, CharSequence name) {
        int from = line(field);
        int length = colon(field) - from;
        if (length != name.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (HttpBytes.lower(head[from + i]) != HttpBytes.lower(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the received name at {@code from} equals the given part of {@code name}, regardless of case. */
    private boolean isNamed(int from, byte[] name, int offset, int length) {
        for (int i = 0; i < length; i++) {
            byte here = head[from + i];
            byte there = name[offset + i];
            if (here != there && HttpBytes.lower(here) != HttpBytes.lower(there)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the number of places: one for each received and each added field, including removed fields. Received
     * fields come first.
     */
    private int places() {
        return fields.length + addedLength / 2;
    }

    /** Returns the index of an added field's name; the value is at the next index. */
    private int nameOf(int place) {
        return (place - fields.length) * 2;
    }

    private boolean isGone(int place) {
        return place < fields.length ? (gone >>> place & 1) != 0 : added[nameOf(place)] == null;
    }

    private CharSequence added(int at) {
        CharSequence text = added[at];
        if (text == null) {
            throw new IllegalStateException("the field was removed");
        }
        return text;
    }

    /**
     * Returns the place (the index among all received and added fields) of the first field that has this name; negative
     * if no field has this name.
     */
    private int find(CharSequence name) {
        return (names & bit(name)) == 0 ? -1 : find(name, 0);
    }

    /**
     * Returns the place (the index among all received and added fields) of the first field that has this name, starting
     * at {@code from}; negative if there is no such field.
     */
    private int find(CharSequence name, int from) {
        int received = name instanceof AsciiString ascii ? findReceived(ascii, from) : findReceived(name, from);
        return received >= 0 || added.length == 0 ? received : findAdded(name, from);
    }

    private int findReceived(CharSequence name, int from) {
        for (int i = from; i < fields.length; i++) {
            if (isNamed(fields[i], name) && !isGone(i)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Searches a received field by comparing the bytes of its name with the bytes of {@code name}. All names that the
     * gateway uses are of class AsciiString, and this search is several times faster than a search by CharSequence.
     */
    private int findReceived(AsciiString name, int from) {
        byte[] bytes = name.array();
        int offset = name.arrayOffset();
        int length = name.length();
        for (int i = from; i < fields.length; i++) {
            int line = line(fields[i]);
            if (colon(fields[i]) - line == length && isNamed(line, bytes, offset, length) && !isGone(i)) {
                return i;
            }
        }
        return -1;
    }

    private int findAdded(CharSequence name, int from) {
        int end = places();
        for (int i = Math.max(from, fields.length); i < end; i++) {
            CharSequence there = added[nameOf(i)];
            if (there != null && AsciiString.contentEqualsIgnoreCase(there, name)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Returns the value as text. The value is cached, because callers often read the same value a second time after a
     * check for repeated fields.
     */
    private String value(int place) {
        if (place >= fields.length) {
            return added(nameOf(place) + 1).toString();
        }
        String text = known;
        if (text == null || knownField != place) {
            int from = valueStart(fields[place]);
            text = new String(head, from, valueEnd(fields[place]) - from, StandardCharsets.ISO_8859_1);
            known = text;
            knownField = place;
        }
        return text;
    }

    @Override
    public @Nullable String get(CharSequence name) {
        int place = find(name);
        return place < 0 ? null : value(place);
    }

    @Override
    public List<String> getAll(CharSequence name) {
        int first = find(name);
        if (first < 0) {
            return List.of();
        }
        if (find(name, first + 1) < 0) {
            return List.of(value(first));
        }
        List<String> all = new ArrayList<>(2);
        for (int i = first; i >= 0; i = find(name, i + 1)) {
            all.add(value(i));
        }
        return all;
    }

    /**
     * Returns the value of the first field that has this name; null if no field has this name. If {@code fields} are
     * {@code FlatHeaders}, the returned text is a view of the received bytes, not a copy.
     */
    static @Nullable CharSequence view(HttpHeaders fields, CharSequence name) {
        if (!(fields instanceof FlatHeaders f)) {
            return fields.get(name);
        }
        int place = f.find(name);
        if (place < 0 || place >= f.fields.length) {
            return place < 0 ? null : f.value(place);
        }
        int from = valueStart(f.fields[place]);
        return new AsciiString(f.head, from, valueEnd(f.fields[place]) - from, false);
    }

    /** Returns whether a received field has this name and exactly this value, and no other field has this name. */
    boolean isOnly(CharSequence name, byte[] value) {
        int place = find(name);
        return place >= 0
                && place < fields.length
                && Arrays.equals(head, valueStart(fields[place]), valueEnd(fields[place]), value, 0, value.length)
                && find(name, place + 1) < 0;
    }

    /** Returns whether several fields have this name. For flat headers, this method creates no list of values. */
    static boolean isRepeated(HttpHeaders fields, CharSequence name) {
        if (fields instanceof FlatHeaders f) {
            int first = f.find(name);
            return first >= 0 && f.find(name, first + 1) >= 0;
        }
        return fields.getAll(name).size() > 1;
    }

    @Override
    public boolean contains(CharSequence name) {
        return find(name) >= 0;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Iterator<Map.Entry<CharSequence, CharSequence>> iteratorCharSequence() {
        return new Fields();
    }

    /** Iterates over all fields in order. Changes to fields that the iterator has not reached are visible. */
    private final class Fields implements Iterator<Map.Entry<CharSequence, CharSequence>> {
        private int next;

        @Override
        public boolean hasNext() {
            while (next < places() && isGone(next)) {
                next++;
            }
            return next < places();
        }

        @Override
        public Map.Entry<CharSequence, CharSequence> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            int place = next++;
            if (place >= fields.length) {
                int name = nameOf(place);
                return new SimpleImmutableEntry<>(added(name), added(name + 1));
            }
            long field = fields[place];
            return new SimpleImmutableEntry<>(
                    ascii(line(field), colon(field)), ascii(valueStart(field), valueEnd(field)));
        }

        private AsciiString ascii(int from, int to) {
            return new AsciiString(head, from, to - from, false);
        }
    }

    // ---- modification

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
        for (int i = find(name); i >= 0; i = find(name, i + 1)) {
            if (i < fields.length) {
                gone |= 1L << i;
            } else {
                added[nameOf(i)] = null;
                added[nameOf(i) + 1] = null;
            }
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
        FlatHeaders copy = new FlatHeaders(head, fields);
        copy.gone = gone;
        copy.added = added.clone();
        copy.addedLength = addedLength;
        copy.size = size;
        copy.names = names;
        return copy;
    }

    // ---- output

    /** Writes all fields. Adjacent received fields that already have the format of the output are copied together. */
    void writeTo(HeadBuffer out) {
        int run = 0;
        int end = 0;
        for (int i = 0; i < fields.length; i++) {
            long field = fields[i];
            if (isGone(i)) {
                continue;
            }
            boolean asWritten = isAsWritten(field);
            if (!asWritten || line(field) != end) {
                out.add(head, run, end - run);
                run = line(field);
                end = run;
            }
            if (asWritten) {
                end = valueEnd(field) + 2;
            } else {
                out.add(head, run, colon(field) - run);
                out.add(':').add(' ');
                out.add(head, valueStart(field), valueEnd(field) - valueStart(field));
                out.endLine();
            }
        }
        out.add(head, run, end - run);
        for (int i = 0; i < addedLength; i += 2) {
            CharSequence name = added[i];
            if (name != null) {
                out.field(name, added(i + 1));
            }
        }
    }

    /** Returns whether exactly one space precedes the value, and no blank follows it. */
    private boolean isAsWritten(long field) {
        return valueStart(field) == colon(field) + 2 && head[colon(field) + 1] == ' ' && head[valueEnd(field)] == '\r';
    }
}
