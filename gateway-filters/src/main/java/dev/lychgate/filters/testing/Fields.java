package dev.lychgate.filters.testing;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The fields of a request or an answer that has been sent. Names are matched without regard to case. */
public final class Fields {
    /** None. */
    static final Fields NONE =
            new Fields(DefaultHttpHeadersFactory.headersFactory().newHeaders());

    private final HttpHeaders headers;

    Fields(HttpHeaders headers) {
        this.headers = headers.copy();
    }

    /** The first value under {@code name}; null if there is none. */
    public @Nullable String get(String name) {
        return headers.get(name);
    }

    /** All values under {@code name}, in order. */
    public List<String> getAll(String name) {
        return headers.getAll(name);
    }

    /** {@code headers['x-a']} in Groovy. */
    public @Nullable String getAt(String name) {
        return get(name);
    }

    public boolean contains(String name) {
        return headers.contains(name);
    }

    /** The names, each once, in lower case. */
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
