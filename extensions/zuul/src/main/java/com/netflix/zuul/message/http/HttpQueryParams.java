package com.netflix.zuul.message.http;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parameters of a query, decoded, in their order. */
public class HttpQueryParams implements Cloneable {
    private final List<Map.Entry<String, String>> all = new ArrayList<>();
    private final boolean immutable;

    public HttpQueryParams() {
        this.immutable = false;
    }

    private HttpQueryParams(HttpQueryParams original, boolean immutable) {
        this.all.addAll(original.all);
        this.immutable = immutable;
    }

    /** Returns the parameters of an encoded query. */
    public static HttpQueryParams parse(@Nullable String query) {
        HttpQueryParams parameters = new HttpQueryParams();
        for (String part : query == null ? new String[0] : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            if (!name.isEmpty()) {
                parameters.add(decoded(name), equals < 0 ? "" : decoded(part.substring(equals + 1)));
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    private List<Map.Entry<String, String>> changed() {
        if (immutable) {
            throw new IllegalStateException("these parameters cannot be changed");
        }
        return all;
    }

    private static Predicate<Map.Entry<String, String>> named(String name) {
        return entry -> entry.getKey().equals(name);
    }

    public @Nullable String getFirst(String name) {
        return all.stream()
                .filter(named(name))
                .findFirst()
                .map(Map.Entry::getValue)
                .orElse(null);
    }

    public List<String> get(String name) {
        return all.stream().filter(named(name)).map(Map.Entry::getValue).toList();
    }

    public boolean contains(String name) {
        return all.stream().anyMatch(named(name));
    }

    public boolean contains(String name, String value) {
        return get(name).contains(value);
    }

    /** Replaces all values of a parameter. */
    public void set(String name, String value) {
        changed().removeIf(named(name));
        add(name, value);
    }

    public void add(String name, String value) {
        changed().add(Map.entry(name, value));
    }

    public void removeAll(String name) {
        changed().removeIf(named(name));
    }

    public void clear() {
        changed().clear();
    }

    public Collection<Map.Entry<String, String>> entries() {
        return List.copyOf(all);
    }

    public Set<String> keySet() {
        return all.stream().map(Map.Entry::getKey).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    public String toEncodedString() {
        return all.stream()
                .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns an unmodifiable copy. */
    public HttpQueryParams immutableCopy() {
        return new HttpQueryParams(this, true);
    }

    public boolean isImmutable() {
        return immutable;
    }

    @Override
    @SuppressWarnings("MissingSuperCall")
    public HttpQueryParams clone() {
        return new HttpQueryParams(this, false);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HttpQueryParams same && all.equals(same.all);
    }

    @Override
    public int hashCode() {
        return all.hashCode();
    }

    @Override
    public String toString() {
        return all.stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("&"));
    }
}
