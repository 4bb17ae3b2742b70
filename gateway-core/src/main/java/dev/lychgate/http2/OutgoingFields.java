package dev.lychgate.http2;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.util.AsciiString;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * Ordered fields of an outgoing header block. Each connection has one instance, which is cleared and filled again for
 * each block.
 */
public final class OutgoingFields extends DefaultHttp2Headers {
    private static final AsciiString STATUS = AsciiString.cached(":status");

    private CharSequence[] names = new CharSequence[32];
    private CharSequence[] values = new CharSequence[32];
    private int size;
    private final Walk walk = new Walk();

    OutgoingFields() {
        super(false, 0);
    }

    /** Clears the fields for a new block. */
    public OutgoingFields begin() {
        Arrays.fill(names, 0, size, "");
        Arrays.fill(values, 0, size, "");
        size = 0;
        return this;
    }

    /** Adds the response status. */
    public OutgoingFields status(int status) {
        return field(STATUS, HttpResponseStatus.valueOf(status).codeAsText());
    }

    /**
     * Adds a field. Name and value must not change afterwards.
     *
     * @param name the name, in lower case
     */
    public OutgoingFields field(CharSequence name, CharSequence value) {
        if (size == names.length) {
            names = Arrays.copyOf(names, size * 2);
            values = Arrays.copyOf(values, size * 2);
        }
        names[size] = name;
        values[size++] = value;
        return this;
    }

    /** Adds all {@code headers}, with their names in lower case. */
    public OutgoingFields fields(HttpHeaders headers) {
        return fields(headers, AsciiString.EMPTY_STRING);
    }

    /** Adds all {@code headers} except those named {@code but}. */
    public OutgoingFields fields(HttpHeaders headers, AsciiString but) {
        Iterator<Map.Entry<CharSequence, CharSequence>> fields = headers.iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            if (!but.contentEqualsIgnoreCase(field.getKey())) {
                field(lowerCase(field.getKey()), field.getValue());
            }
        }
        return this;
    }

    /** Returns {@code name} in lower case; the same instance if the name has no upper-case letter. */
    static CharSequence lowerCase(CharSequence name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                return AsciiString.of(name).toLowerCase();
            }
        }
        return name;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean isEmpty() {
        return size == 0;
    }

    @Override
    public Iterator<Map.Entry<CharSequence, CharSequence>> iterator() {
        walk.next = 0;
        return walk;
    }

    /**
     * An iterator that is also the entry that it returns, because the encoder reads one field at a time and keeps no
     * entry.
     */
    private final class Walk
            implements Iterator<Map.Entry<CharSequence, CharSequence>>, Map.Entry<CharSequence, CharSequence> {
        private int next;

        @Override
        public boolean hasNext() {
            return next < size;
        }

        @Override
        public Map.Entry<CharSequence, CharSequence> next() {
            if (next == size) {
                throw new NoSuchElementException();
            }
            next++;
            return this;
        }

        @Override
        public CharSequence getKey() {
            return names[next - 1];
        }

        @Override
        public CharSequence getValue() {
            return values[next - 1];
        }

        @Override
        public CharSequence setValue(CharSequence value) {
            throw new UnsupportedOperationException();
        }
    }
}
