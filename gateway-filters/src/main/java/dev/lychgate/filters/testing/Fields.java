package dev.lychgate.filters.testing;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The header fields of a sent request or response. Names are case-insensitive. */
public final class Fields {
    /** An empty set of fields. */
    static final Fields NONE =
            new Fields(DefaultHttpHeadersFactory.headersFactory().newHeaders());

    private final HttpHeaders headers;

    Fields(HttpHeaders headers) {
        this.headers = headers.copy();
    }

    /** Returns the first value of the field {@code name}; null if there is no such field. */
    public @Nullable String get(String name) {
        return headers.get(name);
    }

    /** Returns all values of the field {@code name}, in their order. */
    public List<String> getAll(String name) {
        return headers.getAll(name);
    }

    /**
     * Returns the first value of {@code name}; null if there is none. Groovy calls this method for
     * {@code headers['x-a']}.
     */
    public @Nullable String getAt(String name) {
        return get(name);
    }

    public boolean contains(String name) {
        return headers.contains(name);
    }

    /** Returns the names of all fields, in lower case and without duplicates. */
    public Set<String> getNames() {
        Set<String> names = new TreeSet<>();
        headers.names().forEach(name -> names.add(name.toLowerCase(java.util.Locale.ROOT)));
        return names;
    }

    @Override
    public String toString() {
        return headers.entries().toString();
    }
}
