package dev.lychgate.zuul;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The endpoint filters of Zuul 2 in one generation, by the names with which other filters choose them. */
final class MessageEndpoints {
    private final Map<String, MessageCode> all = new ConcurrentHashMap<>();

    void add(MessageCode endpoint) {
        endpoint.names().forEach(name -> all.put(name, endpoint));
    }

    /** Returns an endpoint; null if there is none of that name. */
    @Nullable
    MessageCode find(@Nullable String name) {
        return name == null ? null : all.get(name);
    }
}
