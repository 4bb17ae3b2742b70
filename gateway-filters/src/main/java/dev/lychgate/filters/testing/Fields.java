package dev.lychgate.filters.testing;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The header fields of a sent request or response. Names are case-insensitive. */
public final class Fields {
    /** No fields. */
    static final Fields NONE =
            new Fields(DefaultHttpHeadersFactory.headersFactory().newHeaders());

    private final HttpHeaders headers;

    Fields(HttpHeaders headers) {
        this.headers = headers.copy();
    }

    /** Returns the first value of {@code name}; null if there is none. */
    public @Nullable String get(String name) {
        return headers.get(name);
    }

    /** Returns all values of {@code name}, in order. */
    public List<String> getAll(String name) {
        return headers.getAll(name);
    }

    /** Returns the first value of {@code name}: {@code headers['x-a']} in Groovy. */
    public @Nullable String getAt(String name) {
        return get(name);
    }

    public boolean contains(String name) {
        return headers.contains(name);
    }

    /** Returns the names, each once, in lower case. */
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
