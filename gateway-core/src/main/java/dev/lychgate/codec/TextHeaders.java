package dev.lychgate.codec;

import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Implements all methods of Netty's headers on top of a few abstract methods. Converts values to text in the same way
 * as Netty's DefaultHttpHeaders.
 */
abstract class TextHeaders extends HttpHeaders {
    @Override
    public abstract @Nullable String get(CharSequence name);

    @Override
    public abstract List<String> getAll(CharSequence name);

    @Override
    public abstract boolean contains(CharSequence name);

    @Override
    public abstract HttpHeaders add(CharSequence name, Object value);

    @Override
    public abstract HttpHeaders set(CharSequence name, Object value);

    @Override
    public abstract HttpHeaders remove(CharSequence name);

    @Override
    public boolean isEmpty() {
        return size() == 0;
    }

    @Override
    public @Nullable String get(String name) {
        return get((CharSequence) name);
    }

    @Override
    public List<String> getAll(String name) {
        return getAll((CharSequence) name);
    }

    @Override
    public boolean contains(String name) {
        return contains((CharSequence) name);
    }

    @Override
    public Set<String> names() {
        Set<String> all = new LinkedHashSet<>();
        iteratorCharSequence().forEachRemaining(field -> all.add(field.getKey().toString()));
        return all;
    }

    @Override
    public List<Map.Entry<String, String>> entries() {
        List<Map.Entry<String, String>> all = new ArrayList<>(size());
        iteratorCharSequence()
                .forEachRemaining(field -> all.add(new SimpleImmutableEntry<>(
                        field.getKey().toString(), field.getValue().toString())));
        return all;
    }

    @Override
    @SuppressWarnings("deprecation") // deprecated by Netty because of its name
    public Iterator<Map.Entry<String, String>> iterator() {
        return List.copyOf(entries()).iterator();
    }

    /** Converts a value to text in the same way as Netty's headers. */
    static CharSequence text(Object value) {
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
    public HttpHeaders add(String name, Iterable<?> values) {
        for (Object value : values) {
            if (value == null) {
                break;
            }
            add(name, value);
        }
        return this;
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
    public HttpHeaders set(String name, Object value) {
        return set((CharSequence) name, value);
    }

    @Override
    public HttpHeaders set(String name, Iterable<?> values) {
        return remove(name).add(name, values);
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
    public HttpHeaders remove(String name) {
        return remove((CharSequence) name);
    }

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
    @SuppressWarnings("JavaUtilDate") // Netty's API
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
}
