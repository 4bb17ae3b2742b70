package dev.lychgate.exchange.filtering;

import dev.lychgate.filter.Headers;
import dev.lychgate.http.FieldSyntax;
import dev.lychgate.http.SingletonFields;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A view through which filters access the header fields or the trailers of a message. */
abstract class FieldsView implements Headers {
    final HttpHeaders headers;

    FieldsView(HttpHeaders headers) {
        this.headers = headers;
    }

    /**
     * Checks that the filter may read the fields.
     *
     * @throws IllegalStateException if the filter may no longer use the fields
     */
    abstract void requireValid();

    /**
     * Checks that the filter may change the fields. Called before each valid change of a field.
     *
     * @throws IllegalStateException if the filter may not change the fields
     */
    abstract void beforeChange(String name);

    @Override
    public @Nullable String get(String name) {
        requireValid();
        return headers.get(name);
    }

    @Override
    public List<String> getAll(String name) {
        requireValid();
        return Collections.unmodifiableList(headers.getAll(name));
    }

    @Override
    public boolean contains(String name) {
        requireValid();
        return headers.contains(name);
    }

    @Override
    public void set(String name, String value) {
        String sent = FieldSyntax.settable(name, value);
        beforeChange(name);
        headers.set(name, sent);
    }

    @Override
    public void add(String name, String value) {
        String sent = FieldSyntax.settable(name, value);
        beforeChange(name);
        if (SingletonFields.contains(name)) {
            headers.set(name, sent);
        } else {
            headers.add(name, sent);
        }
    }

    @Override
    public void remove(String name) {
        FieldSyntax.requireRemovable(name);
        beforeChange(name);
        headers.remove(name);
    }

    @Override
    public Set<String> getNames() {
        requireValid();
        Set<String> seen = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Set<String> names = new LinkedHashSet<>();
        forEach((name, value) -> {
            if (seen.add(name)) {
                names.add(name);
            }
        });
        return names;
    }

    @Override
    public void forEach(BiConsumer<String, String> action) {
        requireValid();
        Iterator<Map.Entry<CharSequence, CharSequence>> fields = headers.iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            action.accept(field.getKey().toString(), field.getValue().toString());
        }
    }
}
