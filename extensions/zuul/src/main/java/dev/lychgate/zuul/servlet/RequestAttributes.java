package dev.lychgate.zuul.servlet;

import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The attributes of a servlet request. */
final class RequestAttributes {
    private final Map<String, Object> values = new ConcurrentHashMap<>();

    @Nullable
    Object get(String name) {
        return values.get(name);
    }

    void set(String name, @Nullable Object value) {
        if (value == null) {
            values.remove(name);
        } else {
            values.put(name, value);
        }
    }

    Enumeration<String> names() {
        return Collections.enumeration(values.keySet());
    }
}
