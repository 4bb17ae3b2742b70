package dev.lychgate.codec;

import dev.lychgate.http.HttpBytes;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fields as they were received: the bytes of the head, where in them each field is, and what has been taken off or added since.
 * Names and values become text when somebody asks for them, and what nobody has touched is sent on as it came.
 *
 * <p>To its users it is like Netty's DefaultHttpHeaders without validation: names match without regard to case, fields keep their order, and one
 * that is set moves to the end.
 */
final class FlatHeaders extends HttpHeaders {
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

    private static final @Nullable CharSequence[] NONE = {};

    private FlatHeaders(byte[] head, long[] fields) {
        this.head = head;
        this.fields = fields;
    }

    /**
     * Reads the fields of a head.
     *
     * @param head the bytes of the head, at most 65,535, which belong to the fields from here on
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
            while (from < to && isBlank(head[from])) {
                from++;
            }
            while (to > from && isBlank(head[to - 1])) {
                to--;
            }
            fields[i] = (long) line << 48 | (long) colon << 32 | (long) from << 16 | to;
            headers.names |= bit(head[line], head[colon - 1], colon - line);
        }
        headers.size = fields.length;
        return headers;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
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
        for (int i = 0; i < length; i++) {
            if (HttpBytes.lower(head[from + i]) != HttpBytes.lower(name.charAt(i))) {
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

    private String value(int field) {
        return text(valueStart(fields[field]), valueEnd(fields[field]));
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
    public @Nullable String get(String name) {
        return get((CharSequence) name);
    }

    @Override
    public List<String> getAll(CharSequence name) {
        if (isImpossible(name)) {
            return List.of();
        }
        List<String> all = new ArrayList<>(2);
        for (int i = received(name, 0); i >= 0; i = received(name, i + 1)) {
            all.add(value(i));
        }
        for (int i = added(name, 0); i >= 0; i = added(name, i + 2)) {
            all.add(addedText(i + 1).toString());
        }
        return all;
    }

    @Override
    public List<String> getAll(String name) {
        return getAll((CharSequence) name);
    }

    @Override
    public boolean contains(CharSequence name) {
        return !isImpossible(name) && (received(name, 0) >= 0 || added(name, 0) >= 0);
    }

    @Override
    public boolean contains(String name) {
        return contains((CharSequence) name);
    }

    @Override
    public boolean contains(String name, String value, boolean ignoreCase) {
        for (String one : getAll(name)) {
            if (ignoreCase ? one.equalsIgnoreCase(value) : one.equals(value)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean contains(CharSequence name, CharSequence value, boolean ignoreCase) {
        return contains(name.toString(), value.toString(), ignoreCase);
    }

    @Override
    public Iterator<String> valueStringIterator(CharSequence name) {
        return getAll(name).iterator();
    }

    @Override
    public Iterator<String> valueCharSequenceIterator(CharSequence name) {
        return valueStringIterator(name);
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
    public Set<String> names() {
        Set<String> all = new LinkedHashSet<>();
        for (Map.Entry<CharSequence, CharSequence> field : new Fields()) {
            all.add(field.getKey().toString());
        }
        return all;
    }

    @Override
    public List<Map.Entry<String, String>> entries() {
        List<Map.Entry<String, String>> all = new ArrayList<>(size);
        for (Map.Entry<CharSequence, CharSequence> field : new Fields()) {
            all.add(new SimpleImmutableEntry<>(
                    field.getKey().toString(), field.getValue().toString()));
        }
        return all;
    }

    @Override
    @SuppressWarnings("deprecation") // by Netty, for its name
    public Iterator<Map.Entry<String, String>> iterator() {
        return List.copyOf(entries()).iterator();
    }

    @Override
    public Iterator<Map.Entry<CharSequence, CharSequence>> iteratorCharSequence() {
        return new Fields().iterator();
    }

    /** All fields in their order; each iterator goes on with what there is when it comes to it. */
    private final class Fields implements Iterable<Map.Entry<CharSequence, CharSequence>> {
        @Override
        public Iterator<Map.Entry<CharSequence, CharSequence>> iterator() {
            return new Iterator<>() {
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
            };
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

    /** As Netty's headers have it. */
    private static CharSequence text(Object value) {
        if (value instanceof CharSequence text) {
            return text;
        }
        if (value instanceof Date date) {
            return DateFormatter.format(date);
        }
        return value instanceof Calendar calendar ? DateFormatter.format(calendar.getTime()) : value.toString();
    }

    @Override
    public HttpHeaders add(String name, Object value) {
        return add((CharSequence) name, value);
    }

    @Override
    public HttpHeaders add(CharSequence name, Iterable<?> values) {
        for (Object value : values) {
            if (value == null) {
                break;
            }
            add(name, value);
        }
        return this;
    }

    @Override
    public HttpHeaders add(String name, Iterable<?> values) {
        return add((CharSequence) name, values);
    }

    @Override
    public HttpHeaders addInt(CharSequence name, int value) {
        return add(name, Integer.toString(value));
    }

    @Override
    public HttpHeaders addShort(CharSequence name, short value) {
        return add(name, Short.toString(value));
    }

    @Override
    public HttpHeaders set(CharSequence name, Object value) {
        CharSequence text = text(value);
        remove(name);
        return add(name, text);
    }

    @Override
    public HttpHeaders set(String name, Object value) {
        return set((CharSequence) name, value);
    }

    @Override
    public HttpHeaders set(CharSequence name, Iterable<?> values) {
        remove(name);
        return add(name, values);
    }

    @Override
    public HttpHeaders set(String name, Iterable<?> values) {
        return set((CharSequence) name, values);
    }

    @Override
    public HttpHeaders setInt(CharSequence name, int value) {
        return set(name, Integer.toString(value));
    }

    @Override
    public HttpHeaders setShort(CharSequence name, short value) {
        return set(name, Short.toString(value));
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
    public HttpHeaders remove(String name) {
        return remove((CharSequence) name);
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

    // ---- values that are numbers and times

    @Override
    public @Nullable Integer getInt(CharSequence name) {
        Long number = number(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
        return number == null ? null : number.intValue();
    }

    @Override
    public int getInt(CharSequence name, int otherwise) {
        Integer number = getInt(name);
        return number == null ? otherwise : number;
    }

    @Override
    public @Nullable Short getShort(CharSequence name) {
        Long number = number(name, Short.MIN_VALUE, Short.MAX_VALUE);
        return number == null ? null : number.shortValue();
    }

    @Override
    public short getShort(CharSequence name, short otherwise) {
        Short number = getShort(name);
        return number == null ? otherwise : number;
    }

    private @Nullable Long number(CharSequence name, long least, long most) {
        String text = get(name);
        try {
            long number = text == null ? Long.MIN_VALUE : Long.parseLong(text);
            return number < least || number > most ? null : number;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    @Override
    @SuppressWarnings("JavaUtilDate") // Netty's
    public @Nullable Long getTimeMillis(CharSequence name) {
        String text = get(name);
        Date date = text == null ? null : DateFormatter.parseHttpDate(text);
        return date == null ? null : date.getTime();
    }

    @Override
    public long getTimeMillis(CharSequence name, long otherwise) {
        Long millis = getTimeMillis(name);
        return millis == null ? otherwise : millis;
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
