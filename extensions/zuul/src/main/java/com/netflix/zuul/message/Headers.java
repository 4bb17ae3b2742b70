package com.netflix.zuul.message;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The headers of a message, in their order. Names are compared regardless of case. */
public final class Headers {
    private final List<Header> all = new ArrayList<>();
    private final boolean immutable;

    public Headers() {
        this.immutable = false;
    }

    private Headers(Headers original, boolean immutable) {
        this.all.addAll(original.all);
        this.immutable = immutable;
    }

    public static Headers copyOf(Headers original) {
        return new Headers(original, false);
    }

    /** Returns an unmodifiable copy. */
    public Headers immutableCopy() {
        return new Headers(this, true);
    }

    public boolean isImmutable() {
        return immutable;
    }

    private List<Header> changed() {
        if (immutable) {
            throw new IllegalStateException("these headers cannot be changed");
        }
        return all;
    }

    private static Predicate<Header> named(String name) {
        return header -> header.getKey().equalsIgnoreCase(name);
    }

    public @Nullable String getFirst(String name) {
        return all.stream()
                .filter(named(name))
                .findFirst()
                .map(Header::getValue)
                .orElse(null);
    }

    public String getFirst(String name, String otherwise) {
        String value = getFirst(name);
        return value == null ? otherwise : value;
    }

    public @Nullable String getFirst(HeaderName name) {
        return getFirst(name.getName());
    }

    public String getFirst(HeaderName name, String otherwise) {
        return getFirst(name.getName(), otherwise);
    }

    public List<String> getAll(String name) {
        return all.stream().filter(named(name)).map(Header::getValue).toList();
    }

    public List<String> getAll(HeaderName name) {
        return getAll(name.getName());
    }

    /** Replaces all headers of that name. If the value is null, removes these headers. */
    public void set(String name, @Nullable String value) {
        List<Header> headers = changed();
        int first = -1;
        for (int i = 0; i < headers.size() && first < 0; i++) {
            first = named(name).test(headers.get(i)) ? i : -1;
        }
        headers.removeIf(named(name));
        if (value != null) {
            headers.add(first < 0 ? headers.size() : first, new Header(new HeaderName(name), value));
        }
    }

    public void set(HeaderName name, @Nullable String value) {
        set(name.getName(), value);
    }

    public boolean setIfPresent(String name, String value) {
        boolean present = contains(name);
        if (present) {
            set(name, value);
        }
        return present;
    }

    public boolean setIfPresent(HeaderName name, String value) {
        return setIfPresent(name.getName(), value);
    }

    public boolean setIfAbsent(String name, String value) {
        boolean absent = !contains(name);
        if (absent) {
            set(name, value);
        }
        return absent;
    }

    public boolean setIfAbsent(HeaderName name, String value) {
        return setIfAbsent(name.getName(), value);
    }

    public void add(String name, String value) {
        changed().add(new Header(new HeaderName(name), value));
    }

    public void add(HeaderName name, String value) {
        add(name.getName(), value);
    }

    public void putAll(Headers others) {
        changed().addAll(others.all);
    }

    /**
     * Removes all headers of that name.
     *
     * @return whether a header was removed
     */
    public boolean remove(String name) {
        return changed().removeIf(named(name));
    }

    public boolean remove(HeaderName name) {
        return remove(name.getName());
    }

    public boolean removeIf(Predicate<? super Map.Entry<HeaderName, String>> chosen) {
        return changed().removeIf(header -> chosen.test(Map.entry(header.getName(), header.getValue())));
    }

    public void clear() {
        changed().clear();
    }

    public boolean contains(String name) {
        return all.stream().anyMatch(named(name));
    }

    public boolean contains(HeaderName name) {
        return contains(name.getName());
    }

    public boolean contains(String name, String value) {
        return getAll(name).contains(value);
    }

    public boolean contains(HeaderName name, String value) {
        return contains(name.getName(), value);
    }

    public Set<HeaderName> keySet() {
        Set<HeaderName> names = new LinkedHashSet<>();
        all.forEach(header -> names.add(header.getName()));
        return names;
    }

    public Collection<Header> entries() {
        return List.copyOf(all);
    }

    /** Passes each header with its name in lower case. */
    public void forEachNormalised(BiConsumer<? super String, ? super String> action) {
        all.forEach(header -> action.accept(header.getName().getNormalised(), header.getValue()));
    }

    public int size() {
        return all.size();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Headers same && all.equals(same.all);
    }

    @Override
    public int hashCode() {
        return all.hashCode();
    }

    @Override
    public String toString() {
        return all.toString();
    }
}
