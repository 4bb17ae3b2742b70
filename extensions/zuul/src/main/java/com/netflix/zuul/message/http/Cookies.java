package com.netflix.zuul.message.http;

import io.netty.handler.codec.http.cookie.Cookie;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The cookies of a request. */
public class Cookies {
    private final List<Cookie> all = new ArrayList<>();

    public void add(Cookie cookie) {
        all.add(cookie);
    }

    public List<Cookie> getAll() {
        return all;
    }

    public Set<String> getNames() {
        return all.stream().map(Cookie::name).collect(Collectors.toSet());
    }

    public @Nullable List<Cookie> get(String name) {
        List<Cookie> found =
                all.stream().filter(cookie -> cookie.name().equals(name)).toList();
        return found.isEmpty() ? null : found;
    }

    public @Nullable Cookie getFirst(String name) {
        List<Cookie> found = get(name);
        return found == null ? null : found.get(0);
    }

    public @Nullable String getFirstValue(String name) {
        Cookie first = getFirst(name);
        return first == null ? null : first.value();
    }
}
